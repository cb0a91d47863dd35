/**
 * Thrown for a text that is not HCL. The message begins with the place, `line 3, column 5: …`, and is safe to show to a
 * caller.
 */
export class HclError extends Error {
  constructor(text: string, offset: number, message: string) {
    super(`${placeOf(text, offset)}: ${message}`);
    this.name = 'HclError';
  }
}

/** Line and column of an offset, both counted from 1; a tab is one column. */
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return `line ${line}, column ${before.length - lineStart + 1}`;
}
