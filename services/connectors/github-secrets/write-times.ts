/** When a secret was created and last written, by GitHub's answer (ISO 8601, whole seconds); null if unknown. */
export type WriteTimes = { createdAt: string; updatedAt: string | null };

/**
 * The reference that the ledger keeps of a secret. GitHub has no marks, so the times of our own write tell our secret
 * from another. `reach` says who may read the secret, where that is chosen.
 */
export function toReference(times: WriteTimes | null, reach?: string): string | null {
  const kept = [times?.createdAt ?? '', times?.updatedAt ?? ''];
  if (reach !== undefined) return [...kept, reach].join('/');
  return times ? kept.join('/') : null;
}

/** Reads a reference; null if no times are kept. */
export function fromReference(reference: string | null): WriteTimes | null {
  const [createdAt, updatedAt] = reference?.split('/') ?? [];
  return createdAt ? { createdAt, updatedAt: updatedAt ? updatedAt : null } : null;
}

/** Who may read the secret since its last write; undefined if that is not chosen, or not known. */
export function reachOfReference(reference: string | null): string | undefined {
  return reference?.split('/')[2];
}

/** Reads the times in GitHub's answer; undefined if it has none. */
export function readTimes(
  data: Record<string, unknown>,
): { createdAt: string; updatedAt: string } | undefined {
  const { created_at: createdAt, updated_at: updatedAt } = data;
  if (!isTime(createdAt) || !isTime(updatedAt)) return undefined;
  return { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
