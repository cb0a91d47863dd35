import type { Static } from 'typebox';
import { refuseKeysAlone } from '../associations/common.ts';
import type { PlannedDestination } from '../destinations/draft.ts';
import type { WantedPlan } from './ask-worker.ts';
import type { planBody } from './plan-body.ts';

/** What a person decides takes the place of the conflict policy, for some keys or for all. Throws 400 for keys without that. */
export function decided(
  destination: PlannedDestination,
  { conflict_policy: policy, keys }: Pick<Static<typeof planBody>, 'conflict_policy' | 'keys'>,
): Pick<WantedPlan, 'destination' | 'decided'> {
  refuseKeysAlone(keys, policy);
  if (!policy) return { destination };
  return keys
    ? { destination, decided: { policy, keys } }
    : { destination: { ...destination, conflict_policy: policy } };
}
