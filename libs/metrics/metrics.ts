import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { definitions, type MetricDefinition, type MetricKey } from './definitions.ts';
import { createReadings, type Reading } from './readings.ts';

// How often the lag of the event loop is looked at. Each look wakes the process up: at 10 ms, it costs an idle one more than all the rest.
const LAG_STEP_MS = 100;

type Instrument<Definition extends MetricDefinition> = {
  counter: Counter<Definition['labels'][number]>;
  gauge: Gauge<Definition['labels'][number]>;
  histogram: Histogram<Definition['labels'][number]>;
}[Definition['kind']];

/** All metrics, by their key in the table of definitions. */
export type Instruments = { [Key in MetricKey]: Instrument<(typeof definitions)[Key]> };

/** The metrics of one process: counters that are updated as things happen, and readings that are taken at each scrape. */
export type Metrics = Instruments & {
  /** Takes a reading at each scrape. If it fails or takes too long, its gauges are absent and the failure is counted. */
  read: (gauges: MetricKey[], reading: Reading) => void;
  /** Renders these too, from now on: those of another service in this process. */
  include: (part: Metrics) => void;
  /** What Prometheus scrapes, as JSON. */
  collect: () => Promise<object[]>;
  /** The text that Prometheus scrapes. */
  render: () => Promise<{ type: string; body: string }>;
  /** Adds the metrics of the runtime (memory, CPU, event loop). Call it once for each real process. */
  watchProcess: () => void;
};

/** Metrics with their own registry: several services in one process share none. `service`: the label of each. */
export function createMetrics({ service }: { service: string }): Metrics {
  const registry = new Registry();
  const runtime = new Registry();
  for (const one of [registry, runtime]) one.setDefaultLabels({ service });
  const parts: Metrics[] = [];
  const all = new Map(
    Object.entries<MetricDefinition>(definitions).map(([key, definition]) => [
      key,
      create(definition, registry),
    ]),
  );
  const instruments = Object.fromEntries(all) as Instruments;
  const readings = createReadings((reading) => instruments.scrapeFailures.inc({ reading }));
  const collect = async (): Promise<object[]> => {
    await readings.take();
    return registry.getMetricsAsJSON();
  };
  return {
    ...instruments,
    read: (gauges, reading) => {
      // Before each reading, so that an old value is never taken for a new one. A gauge without labels would start at 0.
      const empty = (): void => gauges.forEach((key) => clear(key, all.get(key)));
      empty();
      readings.add(gauges.join(','), async () => {
        empty();
        await reading();
      });
    },
    include: (part) => void parts.push(part),
    collect,
    render: async () => {
      const collected = await Promise.all([collect(), ...parts.map((part) => part.collect())]);
      // The services differ in their label, so nothing is added up.
      const text = await AggregatorRegistry.aggregate(collected).metrics();
      return { type: registry.contentType, body: `${text}${await runtime.metrics()}` };
    },
    watchProcess: () =>
      collectDefaultMetrics({ register: runtime, eventLoopMonitoringPrecision: LAG_STEP_MS }),
  };
}

function clear(key: MetricKey, instrument: Counter | Gauge | Histogram | undefined): void {
  instrument?.reset();
  if (definitions[key].labels.length === 0) instrument?.remove();
}

function create(definition: MetricDefinition, registry: Registry): Counter | Gauge | Histogram {
  const { kind, name, help, labels, buckets } = definition;
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  switch (kind) {
    case 'counter':
      return new Counter(options);
    case 'gauge':
      return new Gauge(options);
    case 'histogram':
      return new Histogram({ ...options, ...(buckets && { buckets: [...buckets] }) });
  }
}
