/** When a secret was created and last written, by GitHub's answer (ISO 8601, whole seconds); null if unknown. */
export type WriteTimes = { createdAt: string; updatedAt: string | null };

/**
 * The reference that the ledger keeps of a secret. GitHub has no marks, so the times of our own write tell our secret
 * from another.
 */
export function toReference({ createdAt, updatedAt }: WriteTimes): string {
  return `${createdAt}/${updatedAt ?? ''}`;
}

/** Reads a reference; null if nothing is kept. */
export function fromReference(reference: string | null): WriteTimes | null {
  const [createdAt, updatedAt] = reference?.split('/') ?? [];
  return createdAt ? { createdAt, updatedAt: updatedAt ? updatedAt : null } : null;
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
