const WORDS = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);

/** A boolean as clients in Go and Python write it into a query; undefined for any other text. */
export function parseBoolean(text: string): boolean | undefined {
  return WORDS.get(text);
}
