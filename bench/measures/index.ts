import type { Measure } from '../support/stage.ts';
import { api } from './api.ts';
import { coldStart } from './cold-start.ts';
import { consolePaint } from './console.ts';
import { drainQueue } from './drain.ts';
import { fairness } from './fairness.ts';
import { fanOut } from './fan-out.ts';
import { latency } from './latency.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { memory } from './memory.ts';
import { simulation } from './simulation.ts';
import { slowStore } from './slow-store.ts';
import { throughput } from './throughput.ts';

/** All measures, in the order of the report. */
export const measures: Measure[] = [
  latency,
  throughput,
  drainQueue,
  fanOut,
  slowStore,
  limits,
  fairness,
  api,
  lists,
  memory,
  coldStart,
  consolePaint,
  simulation,
];
