import type { Scene, Store } from './checker.ts';
import type { DestinationModel, SecretModel } from './model.ts';
import type { Observation } from './recorder.ts';
import { parseName, versionIn, type NameParts } from './values.ts';

/** How long after a lease's start its calls may arrive, beyond the lease itself: what a slow network adds. */
const UNDER_WAY_MS = 2000;

/** Finds values and deletions that came out of order or that nobody wanted, one line each. */
export function findWrongOrder({ model, stores }: Pick<Scene, 'model' | 'stores'>): string[] {
  return [...stores.values()].flatMap((store) =>
    store.recorder.names().flatMap((name) => {
      const parts = parseName(name);
      const secret = model.secrets.find(({ path }) => path === parts?.secret);
      const destination = model.destinations.find((one) => one.name === parts?.destination);
      if (!parts || !secret || !destination) return [];
      const made = store.recorder.of(name).filter(isOurChange);
      const disorder = judgeOrder(name, secret, made);
      if (disorder.length > 0) return disorder;
      return made.flatMap((one) => judgeReason(one, { name, parts, secret, destination, store }));
    }),
  );
}

// Leaves out late calls: they are overwritten, and the comparison at the end checks that. A new mark alone is no new value.
function isOurChange({ value, by }: Observation, index: number, all: Observation[]): boolean {
  return by === 'service' && value !== (all[index - 1]?.value ?? null);
}

// The store's values must be a subsequence of the wanted values, and none may be there before it was wanted.
function judgeOrder(name: string, { path, wanted }: SecretModel, made: Observation[]): string[] {
  let position = 0;
  for (const { value, at } of made) {
    if (value === null) continue;
    const version = versionIn(value);
    const next = wanted.steps.findIndex((step, index) => index >= position && step.value === version);
    const step = wanted.steps[next];
    if (!step || step.at > at) return [`${path}: ${name} held version ${version} out of order`];
    position = next;
  }
  return [];
}

type Place = {
  name: string;
  parts: NameParts;
  secret: SecretModel;
  destination: DestinationModel;
  store: Store;
};

// A call must carry out what was wanted at some moment between the earliest start of its lease and now.
function judgeReason({ value, at, arrivedAt }: Observation, place: Place): string[] {
  const { name, parts, secret, destination, store } = place;
  const from = arrivedAt - store.leaseMs - UNDER_WAY_MS;
  const versions = secret.wanted.during(from, at);
  const rounds = destination.rounds.during(from, at);
  const associated = secret.associations(destination.name).during(from, at);
  if (value === null) {
    const isAsked =
      versions.includes(null) || associated.includes(false) || rounds.some((one) => one !== parts.round);
    return isAsked ? [] : [`${secret.path}: ${name} was deleted, which nobody asked for`];
  }
  const version = versionIn(value);
  const isAsked = versions.includes(version) && associated.includes(true) && rounds.includes(parts.round);
  return isAsked
    ? []
    : [`${secret.path}: ${name} was given version ${version}, which was no longer asked for`];
}
