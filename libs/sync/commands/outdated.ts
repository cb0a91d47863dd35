import type { EntryKey } from '../../connector/contract.ts';
import type { OpenPlan, OpenStep } from './plan-secret.ts';

const OTHER_SETTINGS = 'settings that this entry was written with have changed';

/**
 * A value that stays is written again where the settings that it was written with change. `outdated`: which entries have
 * others by now. Returns the steps that write such an entry.
 */
export async function markOutdated(
  plans: OpenPlan[],
  outdated: (keys: EntryKey[]) => Promise<boolean[]>,
): Promise<OpenStep[]> {
  const steps = plans.flatMap(({ steps: own }) =>
    own.filter(({ action, entryId }) => action === 'unchanged' && entryId !== undefined),
  );
  if (steps.length === 0) return [];
  const keys = steps.map(({ externalName: name, reference = null }) => ({ name, reference }));
  const answers = await outdated(keys);
  const marked = steps.filter((_, index) => answers[index]);
  for (const step of marked) Object.assign(step, { action: 'update', reason: OTHER_SETTINGS });
  return marked;
}
