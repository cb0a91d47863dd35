/** The store's rules for names of entries. `normaliseName` applies them; `checkName` refuses what cannot be fixed. */
export type NameRules = {
  /** Matches one allowed character; without flags. */
  allowed: RegExp;
  /** Replaces each character that is not allowed. */
  replacement: string;
  maxLength: number;
  /** The store writes every name in upper case. */
  uppercase?: boolean;
  /** Two names that differ only in case are one entry. */
  caseInsensitive?: boolean;
  /** A normalised name must match this whole pattern; `message` says what is wrong if it does not. */
  pattern?: { expression: RegExp; message: string };
};

/**
 * The store's rules for tags (labels). The API refuses a destination with a tag that the store could not hold exactly as
 * written.
 */
export type TagRules = {
  /** Most tags that a user may set: the store's limit minus our own marks. */
  max: number;
  key: TagText;
  value: TagText;
};

/** `mostUnits`: the store counts UTF-16 units and accepts at most this many; an emoji has two. */
type TagText = { expression: RegExp; message: string; mostUnits?: number };
