import { useQuery } from '@tanstack/react-query';
import type { SecretMetadataAnswer } from '../../../../../api/contract/secrets.ts';
import { metadataQuery } from '../../../api/queries.ts';
import kit from '../../../kit/kit.module.css';
import { Notice } from '../../../kit/notice.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { mountLimitsQuery } from '../queries.ts';
import type { SecretName } from '../split-path.ts';

/** How many versions a secret keeps where neither it nor its mount says so. */
const MOST_BY_DEFAULT = 10;

/** How many versions a secret keeps: the larger of both limits counts; 0: not set. */
export function keptVersions(own: number, ofMount: number): number {
  return Math.max(own, ofMount) || MOST_BY_DEFAULT;
}

/** The versions that the next one ends for good, if a secret keeps `most`; oldest first. */
export function droppedBy({ versions }: SecretMetadataAnswer, most: number): number[] {
  const numbers = Object.keys(versions)
    .map(Number)
    .toSorted((left, right) => left - right);
  return numbers.slice(0, Math.max(0, numbers.length + 1 - most));
}

/** Says before a new version is saved which old ones it ends. Says nothing without a right to the limit. */
export function Dropped({ secret: { mount, path } }: { secret: SecretName }) {
  const { data: metadata } = useQuery(metadataQuery(mount, path));
  const { data: limits } = useQuery(mountLimitsQuery(mount));
  if (!metadata || !limits) return null;
  const most = keptVersions(metadata.max_versions, limits.max_versions);
  const numbers = droppedBy(metadata, most);
  if (numbers.length === 0) return null;
  const text = `${nameAll(numbers)} will be deleted for good: at most ${counted(most, 'version')} ${most === 1 ? 'is' : 'are'} kept.`;
  // One for one is what a limit is for.
  if (numbers.length === 1) return <p className={kit.muted}>{text}</p>;
  return <Notice tone="limited">{text}</Notice>;
}

function nameAll(numbers: number[]): string {
  const first = numbers[0] ?? 0;
  const last = numbers.at(-1) ?? 0;
  if (numbers.length > 2) return `v${first} to v${last}`;
  return numbers.map((number) => `v${number}`).join(' and ');
}
