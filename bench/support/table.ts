import type { Row } from './row.ts';

const COLUMNS = ['measure', 'value', 'unit', 'floor', 'ratio', 'target', ''] as const;

/** Formats the rows as an aligned text table. */
export function formatTable(rows: Row[]): string {
  const cells = [
    [...COLUMNS] as string[],
    ...rows.map((row) => [
      row.measure,
      String(row.value),
      row.unit,
      row.floor === null ? '–' : String(row.floor),
      row.ratio === null ? '–' : row.ratio.toFixed(2),
      row.target,
      row.met === null ? '' : row.met ? 'met' : 'MISSED',
    ]),
  ];
  const widths = COLUMNS.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) =>
          [1, 3, 4].includes(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
