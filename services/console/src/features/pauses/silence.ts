import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';

// A worker that restarts, or whose connection breaks, is back by then.
const SILENT_MS = 30_000;

type Silent = Pick<DestinationSummaryAnswer, 'unclaimed_since'>;

/** Whether due changes of a destination wait, and no worker runs that would take them. */
export function isSilent({ unclaimed_since: since }: Silent, now: number): boolean {
  return since !== null && now - new Date(since).getTime() > SILENT_MS;
}

/** No worker of a type of store responds: the names of the destinations whose changes wait, and since when. */
type Silence = { type: string; names: string[]; since: string };

/** Which types of stores have no worker, although changes wait. */
export function findSilences(destinations: DestinationSummaryAnswer[], now: number): Silence[] {
  const silent = destinations.filter((one) => isSilent(one, now));
  const types = [...new Set(silent.map(({ store_type: type }) => type))];
  return types.map((type) => {
    const own = silent.filter((one) => one.store_type === type);
    const [since = ''] = own
      .flatMap(({ unclaimed_since: began }) => (began === null ? [] : [new Date(began).toISOString()]))
      .toSorted();
    return { type, names: own.map(({ store_name: name }) => name), since };
  });
}
