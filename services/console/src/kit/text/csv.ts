// A spreadsheet takes a cell that begins with one of these for a formula. The apostrophe makes it a text.
const FORMULA = /^[\s\p{Cc}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;
// Without it, Excel takes the letters for those of another encoding.
const BYTE_ORDER_MARK = '\ufeff';

/** Rows as a CSV file (RFC 4180) that spreadsheets read. */
export function csvOf(rows: string[][]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
