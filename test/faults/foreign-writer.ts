import type { Store } from './checker.ts';
import type { DestinationModel } from './model.ts';
import { pause, type Stage } from './stage.ts';
import { entriesOf } from './values.ts';

/** Longer than a lease plus the race between a look and a write. */
const SHORTEST_MS = 9000;

/** A name that somebody else has taken, with the value that they gave it. */
export type Seizure = { secret: string; destination: string; name: string; value: string; until: number };

/** Somebody else who also works at the stores and takes names of our templates: before us, or in place of our entries. */
export type ForeignWriter = {
  /** Takes names and gives them up again, as long as the stage runs. */
  act: (stage: Stage) => Promise<void>;
  /** Gives up all names. Returns all secrets whose names were taken since the beginning. */
  leave: () => Set<string>;
  seized: () => number;
};

/** Somebody else who works at these stores. */
export function createForeignWriter(stores: Map<string, Store>): ForeignWriter {
  const seizures = new Map<string, Seizure & { store: Store }>();
  const touched = new Set<string>();
  let count = 0;

  const seize = (store: Store, destination: DestinationModel, secret: string, round: number): void => {
    const names = [...entriesOf(store.type, destination.name, round, secret, 1).keys()];
    const [name] = names;
    if (name === undefined || seizures.has(`${store.type} ${name}`)) return;
    count += 1;
    const value = `theirs ${count}`;
    store.recorder.meddle(() => {
      store.fake.discard(name);
      store.fake.plant(store.kind.foreign({ name, value }, destination.name));
    });
    const until = Date.now() + SHORTEST_MS * (1 + (count % 2));
    seizures.set(`${store.type} ${name}`, {
      secret,
      destination: destination.name,
      name,
      value,
      until,
      store,
    });
    touched.add(secret);
  };
  const giveUp = (isOver: (seizure: Seizure) => boolean): void => {
    for (const [key, seizure] of seizures) {
      if (!isOver(seizure)) continue;
      seizures.delete(key);
      const { store, name } = seizure;
      // Discards the entry whatever it holds: after a race it may hold our value, and an adopted entry is deleted outside.
      const isThere = store.fake.entries().some((entry) => entry.name === name);
      if (isThere) store.recorder.meddle(() => store.fake.discard(name));
    }
  };

  return {
    async act(stage) {
      const { random, model } = stage;
      while (stage.running()) {
        await pause(stage, 500 + random.integer(8 * stage.pauseMs));
        giveUp(({ until }) => until < Date.now());
        const destination = random.pick(model.destinations);
        const secret = random.pick(model.secrets).path;
        const store = stores.get(destination.type);
        if (store && stage.running())
          seize(store, destination, secret, destination.round + random.integer(2));
      }
    },
    leave() {
      giveUp(() => true);
      return touched;
    },
    seized: () => count,
  };
}
