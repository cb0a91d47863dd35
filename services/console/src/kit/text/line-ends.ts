/** The text as a text area shows it: every line end is one LF. */
export function shownOf(exact: string): string {
  return exact.replaceAll(/\r\n?/g, '\n');
}

/**
 * The text after an edit in a text area. The browser shows all line ends as LF, so only the part that was edited is taken
 * from what it shows, and the rest keeps its own line ends. `pasted`: what was pasted or dropped before the position
 * `end`, with its line ends.
 */
export function applyEdit(exact: string, shown: string, pasted?: { text: string; end: number }): string {
  if (!exact.includes('\r') && !pasted?.text.includes('\r')) return shown;
  const before = shownOf(exact);
  const edited = (pasted && placeOf(before, shown, pasted)) ?? differenceOf(before, shown);
  const { start, rest } = edited;
  const middle = edited.text ?? likeIn(exact, shown.slice(start, shown.length - rest));
  const next =
    exact.slice(0, offsetOf(exact, start)) + middle + exact.slice(offsetOf(exact, before.length - rest));
  // A CR that met an LF made one line end of two.
  return shownOf(next) === shown ? next : shown;
}

/** `rest`: how many characters after the edit are as before. */
type Edited = { start: number; rest: number; text?: string };

function placeOf(before: string, shown: string, pasted: { text: string; end: number }): Edited | undefined {
  const inserted = shownOf(pasted.text);
  const start = pasted.end - inserted.length;
  const rest = shown.length - pasted.end;
  const isThere =
    start >= 0 &&
    start + rest <= before.length &&
    shown.slice(start, pasted.end) === inserted &&
    before.startsWith(shown.slice(0, start)) &&
    before.endsWith(shown.slice(pasted.end));
  return isThere ? { start, rest, text: pasted.text } : undefined;
}

function differenceOf(before: string, shown: string): Edited {
  const most = Math.min(before.length, shown.length);
  let start = 0;
  while (start < most && before[start] === shown[start]) start += 1;
  let rest = 0;
  while (rest < most - start && before.at(-1 - rest) === shown.at(-1 - rest)) rest += 1;
  return { start, rest };
}

// A new line in a text whose lines all end in CR LF ends so too.
function likeIn(exact: string, text: string): string {
  return /(?:^|[^\r])\n/.test(exact) ? text : text.replaceAll('\n', '\r\n');
}

// The position in the exact text of a position in the shown one.
function offsetOf(exact: string, shown: number): number {
  let offset = 0;
  for (let left = shown; left > 0; left -= 1) offset += exact.startsWith('\r\n', offset) ? 2 : 1;
  return offset;
}

/** What one cannot see of a text, or not if it is hidden: its size, its line ends, and blanks at its ends. */
export function describeText(exact: string): string {
  if (exact === '') return '';
  const lines = shownOf(exact).split('\n').length;
  const isEnded = /[\r\n]$/.test(exact);
  const counted = isEnded ? lines - 1 : lines;
  return [
    `${exact.length.toLocaleString('en')} ${exact.length === 1 ? 'character' : 'characters'}`,
    counted > 1 || isEnded ? `${counted.toLocaleString('en')} ${counted === 1 ? 'line' : 'lines'}` : '',
    isEnded ? 'ends with a line break' : '',
    /^\s/.test(exact) ? 'begins with a blank' : '',
    /[^\S\r\n]$/.test(exact) ? 'ends with a blank' : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
