/** When a secret was made and last written, as GitHub tells it (ISO 8601, whole seconds); null where it is not known. */
export type WriteTimes = { createdAt: string; updatedAt: string | null };

/** What the ledger keeps of a secret: GitHub bears no marks, so the times that our own write left tell it from another. */
export function toReference({ createdAt, updatedAt }: WriteTimes): string {
  return `${createdAt}/${updatedAt ?? ''}`;
}

/** Null where nothing is kept. */
export function fromReference(reference: string | null): WriteTimes | null {
  const [createdAt, updatedAt] = reference?.split('/') ?? [];
  return createdAt ? { createdAt, updatedAt: updatedAt ? updatedAt : null } : null;
}

/** From GitHub's answer; undefined where it has no such times. */
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
