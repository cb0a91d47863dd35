/** A number with its noun: `1 association`, `2 associations`. `plural`: for a noun that takes more than an `s`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
