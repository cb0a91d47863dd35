import type { Row } from './row.ts';

/** A short name of a row, and the beginning of its title. */
type Bar = [label: string, title: string];

type Panel = { title: string; bars: Bar[] };

// Four bars each: enough to see what Sealift costs. The table has the rest.
const PANELS: Panel[] = [
  {
    title: 'Rate, as a share of the floor. More is better.',
    bars: [
      ['One secret to 1,000 destinations', 'one secret with 1000 destinations'],
      ['Vercel, batches of 100', 'hosting-project: pushes/s'],
      ['100,000 that waited, against 1,000', 'drain of 100000'],
      ['Writes of secrets over the API', 'API, KV write: requests/s'],
    ],
  },
  {
    title: 'Time, as a multiple of the floor. Less is better.',
    bars: [
      ['From a write to the call, idle (p50)', "KV write's reply → call at the store, idle, p50"],
      ['Beside a destination that hangs (p99)', 'p99 of a healthy destination while another hangs'],
      ['Writes of secrets over the API (p99)', 'API, KV write: p99'],
      ['A page of 100,000 rows, against 10', 'association list, 100000 rows'],
    ],
  },
];

const WIDTH = 720;
const LEFT = 270;
const LINE = 26;
const PANEL = 48 + 4 * LINE;
const MOST = 3;
const STYLE = `
svg { background: #fff; fill: #1f2328; font: 13px system-ui, sans-serif }
.bar { fill: #2f6f9f } .missed { fill: #b3541e } .floor { stroke: #1f2328 } .head { font-weight: 600 }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; fill: #e6edf3 }
  .bar { fill: #6cb0e0 } .missed { fill: #f0883e } .floor { stroke: #e6edf3 }
}`;

/**
 * Draws some rows in two panels, each with a line at the floor. A row that is not published yet has no bar. The colours follow
 * the reader's choice of light or dark.
 */
export function drawPlot(rows: Row[]): string {
  const height = PANELS.length * PANEL;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<style>${STYLE}</style>`,
    ...PANELS.map((panel, index) => drawPanel(panel, rows, index * PANEL)),
    '</svg>',
    '',
  ].join('\n');
}

function drawPanel({ title, bars }: Panel, rows: Row[], top: number): string {
  const shown = bars.flatMap(([label, beginning]) => {
    const row = rows.find(({ measure, ratio }) => ratio !== null && measure.startsWith(beginning));
    return row ? [{ label, row }] : [];
  });
  const floor = positionOf(1);
  const end = top + 40 + shown.length * LINE;
  return [
    `<text class="head" x="12" y="${top + 24}">${title}</text>`,
    ...shown.map(({ label, row }, index) => drawBar(label, row, top + 40 + index * LINE)),
    `<line class="floor" x1="${floor}" y1="${top + 34}" x2="${floor}" y2="${end}"/>`,
  ].join('\n');
}

function drawBar(label: string, { ratio, met }: Row, y: number): string {
  const length = positionOf(ratio ?? 0) - LEFT;
  const looks = met === false ? 'missed' : 'bar';
  return [
    `<text x="12" y="${y + 14}">${label}</text>`,
    `<rect class="${looks}" x="${LEFT}" y="${y}" width="${length}" height="${LINE - 8}"/>`,
    `<text x="${LEFT + length + 8}" y="${y + 14}">${(ratio ?? 0).toFixed(2)} ×</text>`,
  ].join('');
}

function positionOf(ratio: number): number {
  return Math.round(LEFT + (Math.min(MOST, ratio) / MOST) * (WIDTH - LEFT - 70));
}
