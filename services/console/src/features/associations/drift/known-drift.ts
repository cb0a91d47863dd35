import type { RecordAnswer } from '../../../../../api/contract/associations.ts';

export type KnownDrift = NonNullable<RecordAnswer['drift']>;

/** `paused`: what is asked for is done once a pause ends. `trying`: Sealift tries to write the entry by itself. */
export type DriftState = 'paused' | 'trying' | null;

/** It is known also while something else is the cause of the status, such as a pause. */
export function driftIn(records: RecordAnswer[], worst: RecordAnswer): KnownDrift | null {
  return worst.drift ?? records.find(({ drift }) => drift !== null)?.drift ?? null;
}
