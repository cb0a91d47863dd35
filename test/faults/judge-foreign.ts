import type { Scene, Store } from './checker.ts';
import type { Observation } from './recorder.ts';
import { parseName } from './values.ts';

/**
 * If a store addresses entries by name, a write may follow the look at the entry by this much more than a lease. Nothing can
 * close that gap.
 */
const RACE_MS = 2000;

/** Finds foreign entries that the service overwrote or deleted although its policy forbids it, one line each. */
export function findForeignTouched({ model, stores }: Pick<Scene, 'model' | 'stores'>): string[] {
  return [...stores.values()].flatMap((store) =>
    store.recorder.names().flatMap((name) => {
      const parts = parseName(name);
      const destination = model.destinations.find((one) => one.name === parts?.destination);
      const list = store.recorder.of(name);
      return list.flatMap((seized, index) => {
        const next = list[index + 1];
        if (seized.by !== 'somebody' || seized.value === null || !next || next.by === 'somebody') return [];
        const mayTake = destination !== undefined && destination.policy !== 'refuse' && next.value !== null;
        if (mayTake || isRace(store, name, seized, next)) return [];
        const what = next.value === null ? 'deleted' : `overwritten with ${next.value}`;
        return [
          `${parts?.secret ?? '?'}: ${store.type} ${name} of somebody else was ${what} ${next.at - seized.at} ms later, looked at ${next.arrivedAt - next.lookedAt} ms before`,
        ];
      });
    }),
  );
}

// True if the call was already at the store, or if it followed a look, under the same lease, at the earlier entry.
function isRace(store: Store, name: string, seized: Observation, next: Observation): boolean {
  if (next.arrivedAt <= seized.at) return true;
  const { byIdentity } = store.kind;
  if (byIdentity === 'all' || (byIdentity === 'deletions' && next.value === null)) return false;
  // A list call looks at all entries of a container. The observations do not show which ones it returned.
  const lookedAt = byIdentity === 'deletions' ? seized.at : next.lookedAt;
  const hadSeen = !next.isStale && lookedAt > seized.at;
  if (!hadSeen && next.arrivedAt - lookedAt <= store.leaseMs + RACE_MS) return true;
  // GitHub has no owner marks: after a write with a lost answer, only the ledger says that the entry is ours, even if the
  // write had no effect.
  if (store.kind.hasTags || byIdentity !== 'none') return false;
  const own = store.recorder
    .of(name)
    .filter(({ by, at }) => by !== 'somebody' && at < seized.at)
    .at(-1);
  const lost = [...store.recorder.lostWrites(name), ...store.cutCalls()];
  const times = lost.filter((time) => time < seized.at);
  if (own !== undefined && own.value !== null) times.push(own.at);
  return times.some((time) => seized.at - time < 4 * store.leaseMs);
}
