import { parseName } from './values.ts';
import type { Model } from './model.ts';
import { allOf } from './processes.ts';
import type { World } from './world.ts';

/** The results of a run. Every list is empty if all promises were kept. */
export type Report = {
  world: World;
  model: Model;
  /** Answers that contradict the history. */
  anomalies: string[];
  falseSynced: string[];
  /** Final differences of stores or statuses from the model: entries that are lost, or that should not be there. */
  differences: string[];
  wronglyOrdered: string[];
  touched: string[];
  /** Changes while syncing was disabled, later after the acknowledgement than any push in progress may take. */
  writtenWhileDisabled: string[];
  /** Unreadable messages that are neither dead-lettered nor lost with their queues. */
  missingPoison: string[];
  /** Kept counts that differ from the associations. */
  wrongCounts: string[];
  /** Values that reached their store too late after a fault, or only because of the sweep. */
  unannounced: string[];
  /** Rows of work that were written in some seconds in which nothing was due. */
  idleClaims: number;
  /** Number of failovers that were reported to have lost changes. */
  lossesTold: number;
  /** Answers of 500 and above during the rolling restart, unless it took too long to judge them. */
  failedWhileRolling: string[];
  rollingMs: number;
  /** `at`: the start. `silentMs`: the longest time after it without an acknowledgement. */
  faults: { name: string; at: number; recoveredMs: number; silentMs: number }[];
  settledMs: number;
  /** How often somebody else took a name that one of our templates gives. */
  seized: number;
};

// A check of a deletion that was given up may still come. A busy loop would make dozens or hundreds of claims per second.
const MOST_IDLE_CLAIMS = 80;

/** All broken promises, one line each. */
export function findingsOf(report: Report): string[] {
  return [
    ...report.anomalies,
    ...report.falseSynced,
    ...report.differences,
    ...report.wronglyOrdered,
    ...report.touched,
    ...report.writtenWhileDisabled,
    ...report.missingPoison,
    ...report.wrongCounts,
    ...report.unannounced,
    ...report.world.broken,
    ...(report.lossesTold > 0 ? ['a failover was said to have lost changes'] : []),
    ...(report.idleClaims > MOST_IDLE_CLAIMS ? [`${report.idleClaims} claims were made without work`] : []),
    ...report.failedWhileRolling.map((line) => `during the rolling restart ${line}`),
  ];
}

/** The figures of a run, one line each. */
export function figuresOf(report: Report): string[] {
  const { world, model, faults } = report;
  const { counts } = world.caller;
  const recorders = [...world.stores.values()].map(({ recorder }) => recorder);
  const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
  const times = faults.map(({ recoveredMs }) => recoveredMs).toSorted((left, right) => left - right);
  const { apis, workers } = world.processes;
  const peak = (processes: typeof apis): number =>
    Math.round(Math.max(...processes.map((one) => one.peakKb())) / 1024);
  const disabled = world.syncing.pauses
    .map(({ from, to }) => to - from - world.leaseMs)
    .filter((ms) => ms > 0);
  const poison = world.poison.counts();
  const statuses = [...counts.byStatus].toSorted(([left], [right]) => left - right);
  return [
    `operations acknowledged   ${model.history.length + world.syncing.history.length}`,
    `lost                      ${report.differences.length}`,
    `wrongly ordered           ${report.wronglyOrdered.length}`,
    `said to be synced falsely ${report.falseSynced.length}`,
    `foreign entries touched   ${report.touched.length} of ${report.seized} under our names, and others`,
    `written while disabled    ${report.writtenWhileDisabled.length}, watched ${disabled.length} times for ${sum(disabled)} ms in all`,
    `poison messages           ${poison.sent}, dead-lettered ${poison.deadLettered}, lost with their queues ${poison.lost}, missing ${report.missingPoison.length}`,
    `writes at the stores      ${sum(recorders.map((one) => one.writes()))}, of them without a change ${sum(recorders.map((one) => one.duplicates()))}`,
    `carried out after a lease ${sum([...world.stores.values()].map((one) => one.recorder.carriedOutAfter(one.leaseMs)))}`,
    `requests                  ${counts.sent}, replies lost ${counts.lost}, by status ${statuses.map(([status, count]) => `${status}: ${count}`).join(', ')}`,
    `faults                    ${faults.length}; works again after a median of ${times[Math.floor(times.length / 2)] ?? 0} ms, at most ${times.at(-1) ?? 0} ms`,
    `without acknowledgements  ${Math.max(0, ...faults.map(({ silentMs }) => silentMs))} ms at most`,
    `claims without work       ${report.idleClaims}`,
    `rolling restart           ${report.rollingMs} ms, failed requests held against it ${report.failedWhileRolling.length}`,
    `settled in the end after  ${report.settledMs} ms`,
    `peak memory               API ${peak(apis)} MB, worker ${peak(workers)} MB`,
    `processes ended           ${sum(allOf(world.processes).map((one) => one.ends()))}`,
  ];
}

/** The history of the associations that the findings name: acknowledged operations, and values that stores accepted. */
export function historyOf(report: Report, findings: string[]): string[] {
  const pairs = new Set(findings.flatMap((line) => pairOf(line, report.model) ?? []));
  return [...pairs].slice(0, 3).flatMap((pair) => {
    const [secret = '', destination = ''] = pair.split(' at ');
    const isAbout = ({ about, operation }: Model['history'][number]): boolean =>
      about === destination ||
      about === 'config' ||
      (about === secret && (!/^(set|remove) /.test(operation) || operation.endsWith(` ${destination}`)));
    const operations = [...report.model.history, ...report.world.syncing.history]
      .filter(isAbout)
      .map(({ at, operation, outcome, attempts }) => ({
        at,
        text: `${operation} -> ${outcome} (attempt ${attempts})`,
      }));
    const observations = [...report.world.stores.values()].flatMap(({ recorder }) =>
      recorder.names().flatMap((name) => {
        const parts = parseName(name);
        if (parts?.secret !== secret || parts.destination !== destination) return [];
        return recorder.of(name).map(({ at, value, by }) => ({ at, text: `  ${name} = ${value} (${by})` }));
      }),
    );
    const strikes = report.faults.map(({ name, at }) => ({ at, text: `    (${name})` }));
    const lines = [...operations, ...observations, ...strikes].toSorted((left, right) => left.at - right.at);
    return [
      `History of ${pair}:`,
      ...lines.slice(-400).map(({ at, text }) => `${new Date(at).toISOString().slice(11, 23)} ${text}`),
    ];
  });
}

// A finding begins with its secret and names the destination, by itself or within an external name.
function pairOf(line: string, { destinations }: Model): string | undefined {
  const secret = /^s\d+(?=:)/.exec(line)?.[0];
  const destination = destinations.find(({ name }) =>
    new RegExp(`\\b${name}\\b|\\b${name}[-_]r`, 'i').test(line),
  );
  return secret && destination && `${secret} at ${destination.name}`;
}

/** A test's message for a run with findings: the findings, their history, and the figures. */
export function storyOf(report: Report, seed: number): string {
  const findings = findingsOf(report);
  return [
    `seed ${seed}`,
    ...findings.slice(0, 10),
    ...historyOf(report, findings),
    ...figuresOf(report),
  ].join('\n');
}
