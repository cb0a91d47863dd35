/** Something that can be chosen. */
export type Option = {
  value: string;
  /** What it is, beside it; it is searched too. */
  about?: string;
  /** It is only the beginning of what is wanted, such as a folder: the list stays open. */
  isPrefix?: boolean;
};

const MOST = 50;

/** The options that contain every word of a text; those that begin with it come first. A text that is one of them finds all. */
export function matchingOptions(options: Option[], text: string): Option[] {
  const typed = text.trim().toLowerCase();
  const isChosen = options.some(({ value, isPrefix }) => value === text && !isPrefix);
  const words = isChosen ? [] : typed.split(/\s+/).filter(Boolean);
  const found = options.filter(({ value, about = '' }) =>
    words.every((word) => `${value} ${about}`.toLowerCase().includes(word)),
  );
  const starts = (one: Option): boolean => one.value.toLowerCase().startsWith(typed);
  return [...found.filter(starts), ...found.filter((one) => !starts(one))].slice(0, MOST);
}

/** Options without anything beside them, each once, in order. */
export function optionsOf(values: (string | null | undefined)[]): Option[] {
  const known = values.filter((value) => typeof value === 'string' && value !== '') as string[];
  return [...new Set(known)].toSorted().map((value) => ({ value }));
}
