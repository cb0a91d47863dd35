import type { Row } from './row.ts';

const WIDTH = 860;
const LEFT = 430;
const LINE = 24;
const BAR = WIDTH - LEFT - 110;

/**
 * Draws each row with a ratio as a bar on a logarithmic axis from 0.1 to 10, with the floor as a line at 1. Green: the
 * target is met; red: it is not met; grey: the row has no target.
 */
export function drawPlot(rows: Row[]): string {
  const shown = rows.filter((row) => row.ratio !== null && Number.isFinite(row.ratio));
  const height = 70 + shown.length * LINE;
  const bars = shown.map((row, index) => drawBar(row, 50 + index * LINE));
  const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10].map((tick) => {
    const x = positionOf(tick);
    const stroke = tick === 1 ? '#333' : '#ddd';
    return `<line x1="${x}" y1="36" x2="${x}" y2="${height - 20}" stroke="${stroke}"/><text x="${x}" y="30" text-anchor="middle">${tick}×</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="10" y="18" font-weight="bold">Ratio to the floor of the same run (1 = no cost)</text>`,
    ...ticks,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

function drawBar(row: Row, y: number): string {
  const ratio = row.ratio ?? 1;
  const [from, to] = [positionOf(1), positionOf(ratio)].toSorted((left, right) => left - right);
  const colour = row.met === null ? '#999' : row.met ? '#2a9d5c' : '#c8402f';
  const width = Math.max(2, (to ?? 0) - (from ?? 0));
  return [
    `<text x="10" y="${y + 12}">${escapeText(row.measure)}</text>`,
    `<rect x="${from}" y="${y}" width="${width}" height="${LINE - 8}" fill="${colour}"/>`,
    `<text x="${WIDTH - 90}" y="${y + 12}">${ratio.toFixed(2)} ×</text>`,
  ].join('');
}

function positionOf(ratio: number): number {
  const clamped = Math.min(10, Math.max(0.1, ratio));
  return Math.round(LEFT + ((Math.log10(clamped) + 1) / 2) * BAR);
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}
