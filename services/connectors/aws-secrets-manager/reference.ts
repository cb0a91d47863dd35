import type { Cloud1SmSettings } from './destination.ts';

/** The key and the replicas that were asked for with a secret. */
type Place = { key: string; replicas: Record<string, string> };

/**
 * What the ledger keeps of a secret: its ARN, and the key and the replicas that it was written with. With these a later
 * change of the settings is seen without a call: `arn:… {"key":"alias/x","replicas":{"eu-west-3":""}}`.
 */
export function writeReference(arn: string | undefined, settings: Cloud1SmSettings): string | null {
  if (arn === undefined) return null;
  const place = spellPlace(settings);
  return place === '' ? arn : `${arn} ${place}`;
}

/** The ARN of a secret, which names its account too. */
export function arnIn(reference: string): string {
  return reference.split(' ', 1)[0] ?? reference;
}

export function placeIn(reference: string | null): Place {
  const place = reference?.slice(arnIn(reference).length + 1) ?? '';
  return place === '' ? { key: '', replicas: {} } : (JSON.parse(place) as Place);
}

/** Whether a secret lies where the settings want it, under their key. */
export function isInPlace(reference: string | null, settings: Cloud1SmSettings): boolean {
  return reference === null || reference === writeReference(arnIn(reference), settings);
}

function spellPlace({ kms_key_id: key = '', replica_regions: replicas = {} }: Cloud1SmSettings): string {
  const regions = Object.entries(replicas).toSorted(([left], [right]) => (left < right ? -1 : 1));
  if (key === '' && regions.length === 0) return '';
  return JSON.stringify({ key, replicas: Object.fromEntries(regions) } satisfies Place);
}
