/** What became of an attribute. A secret shows only fingerprints, which tell equal values apart from others. */
export type AttributeChange = { old: unknown; new: unknown };

type Options = {
  isSecret?: (name: string) => boolean;
  /** A keyed hash of a value, as text. */
  fingerprint?: (value: string) => string;
};

// Longer values would fill the audit trail.
const LONGEST = 200;
const MOST = 100;

/**
 * The attributes that differ between two states of a document. Values that are secret or long appear as fingerprints;
 * without a `fingerprint` they are left out.
 */
export function describeChanges(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  { isSecret = () => false, fingerprint }: Options = {},
): Record<string, AttributeChange> {
  const show = (name: string, value: unknown): unknown => {
    if (value === undefined || value === null || value === '') return value ?? null;
    const text = JSON.stringify(value);
    if (!isSecret(name) && text.length <= LONGEST) return value;
    return fingerprint ? `fingerprint:${fingerprint(text)}` : '…';
  };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(
    changed
      .slice(0, MOST)
      .map((name) => [name, { old: show(name, before[name]), new: show(name, after[name]) }]),
  );
}
