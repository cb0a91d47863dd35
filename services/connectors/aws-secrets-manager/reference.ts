/** The settings that say which key encrypts the secrets, and where their replicas are. */
type Wanted = { kms_key_id?: string; replica_regions?: Record<string, string> };

/** The key and the replicas that we asked for with a secret. */
type Placement = { key: string; replicas: Record<string, string> };

/**
 * The reference that the ledger keeps of a secret: its ARN, and the key and the replicas that it was written with. With
 * these we see a later change of the settings without a call. Example: `arn:…
 * {"key":"alias/x","replicas":{"eu-west-3":""}}`.
 */
export function writeReference(arn: string | undefined, settings: Wanted): string | null {
  if (arn === undefined) return null;
  const placement = writePlacement(settings);
  return placement === '' ? arn : `${arn} ${placement}`;
}

/** The ARN of a secret, which names its account too. */
export function arnIn(reference: string): string {
  return reference.split(' ', 1)[0] ?? reference;
}

export function placementIn(reference: string | null): Placement {
  const placement = reference?.slice(arnIn(reference).length + 1) ?? '';
  return placement === '' ? { key: '', replicas: {} } : (JSON.parse(placement) as Placement);
}

/** Whether a secret has the key and the replicas of the settings. */
export function isPlacedAsWanted(reference: string | null, settings: Wanted): boolean {
  return reference === null || reference === writeReference(arnIn(reference), settings);
}

/** The regions of the replicas that a secret was written with and that the settings no longer have. */
export function replicasLost(reference: string | null, { replica_regions: wanted = {} }: Wanted): string[] {
  return Object.keys(placementIn(reference).replicas).filter((region) => !(region in wanted));
}

function writePlacement({ kms_key_id: key = '', replica_regions: replicas = {} }: Wanted): string {
  const regions = Object.entries(replicas).toSorted(([left], [right]) => (left < right ? -1 : 1));
  if (key === '' && regions.length === 0) return '';
  return JSON.stringify({ key, replicas: Object.fromEntries(regions) } satisfies Placement);
}
