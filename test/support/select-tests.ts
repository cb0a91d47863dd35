/** A word matches no path of a test file. The message says what to do. */
export class NoTestFound extends Error {
  override readonly name = 'NoTestFound';
}

/**
 * The compiled test files (`dist/test/….test.js`) that match the words. A word matches all files whose path contains it,
 * and it may be the path of a source file. A pattern with `*` stays unchanged, for mocha. No words: all files. Throws
 * NoTestFound.
 */
export function selectTests(words: readonly string[], files: readonly string[]): string[] {
  if (words.length === 0) return [...files];
  return [...new Set(words.flatMap((word) => (word.includes('*') ? [word] : findTests(word, files))))];
}

function findTests(word: string, files: readonly string[]): string[] {
  const found = files.filter((file) => toSource(file).includes(toSource(word)));
  if (found.length > 0) return found;
  throw new NoTestFound(
    `No test file has "${word}" in its path. \`find test -name '*.test.ts'\` lists them all; GREP= looks for titles.`,
  );
}

function toSource(path: string): string {
  return path.replace(/^(?:\.\/)?dist\//, '').replace(/\.js$/, '.ts');
}
