/** What one attribute does; a row is a claim on each of its columns. */
export type AttributeRow = {
  name: string;
  /** Absent where the tests need another from the start. */
  initial?: unknown;
  /** Accepted and read back as they are, the extremes among them. */
  valid: unknown[];
  /** Refused with 422 pointing at the attribute, each beside what `given` sets. */
  invalid: unknown[];
  /** Attributes that a value is only judged beside. */
  given?: Record<string, unknown>;
  /** What null does. */
  onNull: 'clears' | 'is refused' | 'is ignored';
  wrongType: unknown;
  /** How a stored value reads: as it is, masked, or not at all. */
  reads?: 'verbatim' | 'masked' | 'never';
};

export type DocumentTable = {
  kind: string;
  /** Attributes that make `enabled: true` possible. */
  complete: Record<string, unknown>;
  rows: AttributeRow[];
};

/** A switch. */
export const flag = (name: string, initial: boolean): AttributeRow => ({
  name,
  initial,
  valid: [true, false],
  invalid: [],
  onNull: 'is refused',
  wrongType: 'true',
});

/** A text that always has a value. */
export const text = (name: string, initial: string, row: Partial<AttributeRow> = {}): AttributeRow => ({
  name,
  initial,
  valid: ['<b class="x">é\u2028</b>', ''],
  invalid: [],
  onNull: 'is refused',
  wrongType: 1,
  ...row,
});

/** A text that may be unset. */
export const optionalText = (name: string, row: Partial<AttributeRow> = {}): AttributeRow => ({
  name,
  initial: null,
  valid: ['x'],
  invalid: [],
  onNull: 'clears',
  wrongType: 1,
  ...row,
});

/** A duration. */
export const timeout = (name: string, initial: string): AttributeRow => ({
  name,
  initial,
  valid: ['0.5s', '120m', '1.5h', '24h', '86400s'],
  invalid: ['0h', '25h', '24.01h', '-1h', '1h30m', '2', 'h', '', '2 h', '1e2s', '2d'],
  onNull: 'is ignored',
  wrongType: 7200,
});

/** A number from 1 that may be unset. */
export const ceiling = (name: string): AttributeRow => ({
  name,
  initial: null,
  valid: [1, 1000],
  invalid: [0, -1],
  onNull: 'clears',
  wrongType: '5',
});
