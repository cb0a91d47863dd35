/** A line of a CSV file (RFC 4180), with its end. */
export function csvLine(cells: (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

// A spreadsheet takes a cell that begins with one of these for a formula. The apostrophe makes it a text.
const FORMULA = /^[\s\p{Cc}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
