/** Reads, changes or both, as a filter. */
export const KIND_OPTIONS = [
  ['', 'Reads and changes'],
  ['read', 'Values read'],
  ['change', 'Changes'],
] as const;
