import { createRow, type Row } from '../support/row.ts';
import type { Stage } from '../support/stage.ts';
import { percentile } from '../support/statistics.ts';

const CHANGES = 10_000;
const CALL_MS = 50;
const SAMPLE = 10_000;

/**
 * The time that published designs would need, computed and not measured; no product in particular. Each model waits as
 * its design says and counts 50 ms per call, like the slow store.
 */
const MODELS = [
  {
    title: '3 s of coalescing, 0–10 s of jitter, one job at a time',
    waitMs: (luck: number) => 3000 + luck * 10_000,
    // The jobs wait in parallel; the calls run one after the other.
    manyMs: 3000 + CHANGES * CALL_MS,
  },
  {
    title: 'polling every hour',
    waitMs: (luck: number) => luck * 3_600_000,
    manyMs: 3_600_000 / 2 + (CHANGES * CALL_MS) / 16,
  },
  { title: 'one request every 2 s', waitMs: (luck: number) => luck * 2000, manyMs: CHANGES * 2000 },
];

/** Adds models of published designs next to the measurements. The report labels them as models. */
export const models = {
  name: 'models',
  run: (_stage: Stage): Promise<Row[]> => {
    const rows = MODELS.flatMap(({ title, waitMs, manyMs }) => {
      const waits = Array.from({ length: SAMPLE }, (_, index) => waitMs((index + 0.5) / SAMPLE));
      return [
        ...[0.5, 0.99].map((share) =>
          createRow({
            measure: `MODEL, ${title}: write → call, p${share * 100}`,
            unit: 's',
            value: percentile(waits, share) / 1000,
          }),
        ),
        createRow({
          measure: `MODEL, ${title}: ${CHANGES} changed secrets`,
          unit: 's',
          value: manyMs / 1000,
        }),
      ];
    });
    return Promise.resolve(rows);
  },
};
