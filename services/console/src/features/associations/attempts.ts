import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { AttemptAnswer, RecordAnswer } from '../../../../api/contract/associations.ts';
import { refresh } from '../../api/polling.ts';
import { destinationPath } from '../../api/queries.ts';
import { readAllowed } from '../../api/rights.ts';
import { TAKEN_OUTCOMES } from '../../../../../libs/telling/attempts.ts';
import { WRITES, type Push } from './folding.ts';
import type { SecretName } from '../secrets/split-path.ts';

/** An attempt at an entry of a link, as the Activity has it, with what only the page of the link tells. */
export type LinkAttempt = Push & Pick<AttemptAnswer, 'id' | 'ms' | 'version_by'>;

const SIZE = 100;
const REFRESH_MS = 3000;

/** The attempts of one link, newest first. */
export function useAttempts({
  type,
  name,
  secret,
}: {
  type: string;
  name: string;
  secret: SecretName;
}): UseInfiniteQueryResult<InfiniteData<LinkAttempt[]>> {
  return useInfiniteQuery({
    queryKey: ['history', type, name, secret.mount, secret.path],
    queryFn: async ({ pageParam: before }) => {
      const query = new URLSearchParams({
        mount: secret.mount,
        secret_name: secret.path,
        limit: String(SIZE),
      });
      if (before !== null) query.set('before', String(before));
      const path = `${destinationPath(type, name)}/associations/history?${query.toString()}`;
      const { history } = await readAllowed<{ history: AttemptAnswer[] }>(path, { background: true });
      return history.map((attempt) => attemptOf(attempt, { type, name }));
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < SIZE ? null : (page.at(-1)?.id ?? null)),
    refetchInterval: (reading) => refresh(reading) && REFRESH_MS,
  });
}

/** An attempt in the shape of the Activity. */
export function attemptOf(
  { trigger, ...attempt }: AttemptAnswer,
  destination: Push['destination'],
): LinkAttempt {
  return {
    ...attempt,
    kind: 'push',
    destination,
    trigger: trigger?.cause ?? null,
    by: trigger?.by ?? null,
    ...(trigger?.change ? { change: trigger.change } : {}),
  };
}

/** Entries of a link that were somebody else's when Sealift last looked: when that was, and their keys. */
export type FormerConflict = { at: string; keys: string[] };

/** The entries of which no attempt since has told anything: all have failed for other causes, before they came to them. */
export function formerConflict(attempts: LinkAttempt[], records: RecordAnswer[]): FormerConflict | undefined {
  const seen = records.flatMap(
    ({ cause, last_failure: last, unlinking, external_name: name, sub_key: key }) => {
      const code = (cause ?? last)?.code;
      if (code === undefined || code === 'conflict' || unlinking) return [];
      const known = attempts.find((attempt) => isAbout(attempt, name) && isTelling(attempt));
      return known?.cause?.code === 'conflict' ? [{ at: known.at, key }] : [];
    },
  );
  return seen[0] && { at: seen[0].at, keys: seen.map(({ key }) => key) };
}

/** Whether the last attempt that has told whose an entry is found one of somebody else. */
export function wasForeign(attempts: LinkAttempt[], { external_name: name }: RecordAnswer): boolean {
  const known = attempts.find(
    ({ external_name: entry, cause }) => entry === name && (cause === null || cause.code === 'conflict'),
  );
  return known?.cause?.code === 'conflict';
}

/** Whether an entry was written after the attempt with the number `since`. */
export function isWrittenSince(
  attempts: LinkAttempt[],
  { sub_key: key, external_name: name }: Pick<RecordAnswer, 'sub_key' | 'external_name'>,
  since: number,
): boolean {
  return attempts.some(
    ({ id, sub_key, external_name, action, outcome }) =>
      id > since &&
      sub_key === key &&
      external_name === name &&
      WRITES.has(action) &&
      TAKEN_OUTCOMES.includes(outcome),
  );
}

// A failure of the whole link is one of each entry.
function isAbout({ external_name: entry }: LinkAttempt, name: string): boolean {
  return entry === null || entry === name;
}

// Other settings may mean another entry.
function isTelling({ cause, trigger }: LinkAttempt): boolean {
  return cause === null || cause.code === 'conflict' || trigger === 'destination';
}
