/** Something that can be chosen. */
export type Option = {
  value: string;
  /** What it is, beside it; it is searched too. */
  about?: string;
  /** What a filter gets, if that is not what people read. */
  code?: string;
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

/** Options that are read by their names, with the codes beside them. Of equal names, each has its code in it. */
export function namedOptions(found: { name: string; code: string }[]): Option[] {
  const counts = new Map<string, number>();
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  return found.map(({ name, code }) => ({
    value: name !== '' && counts.get(name) === 1 ? name : `${name} (${code})`.trim(),
    about: code,
    code,
  }));
}

/** Options without anything beside them, each once, in order. */
export function optionsOf(values: (string | null | undefined)[]): Option[] {
  const known = values.filter((value) => typeof value === 'string' && value !== '') as string[];
  return [...new Set(known)].toSorted().map((value) => ({ value }));
}

/** Says that nothing of a kind has these names; at least one. */
export function sayAbsent(noun: string, names: string[]): string {
  const listed = new Intl.ListFormat('en').format(names);
  return names.length === 1
    ? `No ${noun} is called ${listed}.`
    : `No ${noun.replace(/y$/, 'ie')}s are called ${listed}.`;
}
