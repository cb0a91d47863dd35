import type { Experiment } from './experiment.ts';
import { DestinationModel } from './model.ts';

// All types with all policies. The first five have each type, and all policies.
const DESTINATIONS: [string, string, DestinationModel['policy']][] = [
  ['alpha', 'cloud1-sm', 'refuse'],
  ['beta', 'repo-host', 'refuse'],
  ['gamma', 'cloud2-kv', 'refuse'],
  ['delta', 'cloud3-sm', 'overwrite'],
  ['epsilon', 'hosting-project', 'adopt'],
  ['zeta', 'cloud1-sm', 'overwrite'],
  ['eta', 'repo-host', 'adopt'],
  ['theta', 'cloud2-kv', 'adopt'],
  ['iota', 'cloud3-sm', 'refuse'],
  ['kappa', 'hosting-project', 'refuse'],
  ['lambda', 'cloud1-sm', 'adopt'],
  ['mu', 'repo-host', 'overwrite'],
  ['nu', 'cloud2-kv', 'overwrite'],
  ['xi', 'cloud3-sm', 'adopt'],
  ['omicron', 'hosting-project', 'overwrite'],
];
const FEW = 5;

/** The destinations of an experiment with these stores: all, or with few secrets one of each type. */
export function destinationsFor(
  { secrets }: Pick<Experiment, 'secrets'>,
  stores: Map<string, unknown>,
): DestinationModel[] {
  const chosen = DESTINATIONS.slice(0, secrets > 8 ? DESTINATIONS.length : FEW);
  return chosen
    .filter(([, type]) => stores.has(type))
    .map(([name, type, policy]) => new DestinationModel({ name, type, policy }));
}
