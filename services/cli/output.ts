import type { Command } from 'commander';
import Table from 'cli-table3';
import { stringifyLossless } from '../../libs/validation/lossless.ts';

/** Where a command writes its result: text for people by default, one line of JSON with `--json`. */
export type Output = {
  json: boolean;
  /** Writes the result; `people` creates the text for people and is called only if that is needed. */
  show: (data: unknown, people: () => string) => void;
  /** Writes a note for people to standard error, apart from the result. */
  note: (text: string) => void;
};

/** The output for the options of a command. */
export function outputOf(command: Command): Output {
  const { json = false } = command.optsWithGlobals<{ json?: boolean }>();
  return {
    json,
    show: (data, people) => {
      process.stdout.write(`${json ? stringifyLossless(data) : people()}\n`);
    },
    note: (text) => {
      process.stderr.write(`${printable(text)}\n`);
    },
  };
}

/** Rows in aligned columns. */
export function renderTable(head: string[], rows: unknown[][]): string {
  const table = new Table({
    head: head.map((title) => title.toUpperCase()),
    chars: Object.fromEntries(EDGES.map((edge) => [edge, edge === 'middle' ? '  ' : ''])),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => row.map((cell) => printable(textOf(cell)))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The fields of an object, one on each line. */
export function renderFields(fields: Record<string, unknown>): string {
  return renderTable(['field', 'value'], Object.entries(fields));
}

/** Makes a text safe for a terminal: shows control characters as `�`, except line feed and tab. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

/** A value for people: text unchanged, a dash for nothing, JSON for everything else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '-' : value;
  return value === null || value === undefined ? '-' : stringifyLossless(value);
}

const EDGES = [
  'top',
  'top-mid',
  'top-left',
  'top-right',
  'bottom',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left',
  'left-mid',
  'mid',
  'mid-mid',
  'right',
  'right-mid',
  'middle',
];
