/** The behaviour of one attribute. Each column is a claim that the tests check. */
export type AttributeRow = {
  name: string;
  /** Absent if the tests set another value at the start. */
  initial?: unknown;
  /** Accepted values, including the extremes. They read back unchanged. */
  valid: unknown[];
  /** Values refused with 422 that points at the attribute. Each is sent together with `given`. */
  invalid: unknown[];
  /** Other attributes that the value needs to be judged. */
  given?: Record<string, unknown>;
  /** The effect of null. */
  onNull: 'clears' | 'is refused' | 'is ignored';
  wrongType: unknown;
  /** How a stored value reads back: unchanged, masked, or never. */
  reads?: 'verbatim' | 'masked' | 'never';
};

export type DocumentTable = {
  kind: string;
  /** The attributes that `enabled: true` requires. */
  complete: Record<string, unknown>;
  rows: AttributeRow[];
};

/** A boolean. */
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

/** A number, at least 1, that may be unset. */
export const ceiling = (name: string): AttributeRow => ({
  name,
  initial: null,
  valid: [1, 1000],
  invalid: [0, -1],
  onNull: 'clears',
  wrongType: '5',
});
