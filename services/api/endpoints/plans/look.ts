import type { Sight } from '../../../../libs/commands/connector-commands.ts';
import type { LookAnswer } from '../../contract/plans.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import { draftCommand, type Draft, type PlannedDestination } from '../destinations/draft.ts';
import type { PlannedStep } from './plan-secret.ts';

/** Most entries that one plan asks a store about. */
export const MOST_LOOKED = 200;

const NOT_OURS = {
  unmarked: 'an entry of that name already exists, and this service did not write it',
  other: 'an entry of that name already exists, and it has the mark of another installation',
};

const SHARED =
  'another destination of this service writes to the same account or project and manages the entry of that name';
const UNSURE =
  'an entry of that name already exists and has our mark; Sealift cannot tell whether another destination manages it';

/**
 * Asks the store, through a worker, about each name that the ledger does not know, and puts the answers into the steps.
 * An entry that somebody else made would be refused, overwritten or adopted, as the destination's `conflict_policy`
 * says. If the store does not tell, the action is `unknown`. Throws 503 without a worker.
 */
export async function lookAtStore(
  request: ApiRequest,
  type: string,
  at: { destination: PlannedDestination; draft: Draft | undefined },
  steps: PlannedStep[],
): Promise<LookAnswer> {
  const { destination, draft } = at;
  const names = [...new Set(steps.filter(({ isNew }) => isNew).map((step) => step.external_name))];
  const asked = names.slice(0, MOST_LOOKED);
  const of = draft ? { draft: await draftCommand(request, draft) } : {};
  const body = { ...of, destination: destination.id, names: asked };
  const { entries } =
    asked.length === 0
      ? { entries: [] }
      : await request.services.commands.call(`connector.${type}`, 'look', body);
  const sights = new Map(entries.map((sight) => [sight.name, sight]));
  for (const step of steps) {
    if (step.isNew) Object.assign(step, judge(sights.get(step.external_name), destination));
  }
  const unknown = steps.filter(({ action }) => action === 'unknown');
  return {
    entries: names.length,
    unknown: unknown.length,
    cause: entries.find(({ cause }) => cause !== null)?.cause ?? null,
  };
}

function judge(
  sight: Sight | undefined,
  { conflict_policy: policy }: PlannedDestination,
): Pick<PlannedStep, 'action' | 'reason'> {
  if (!sight)
    return { action: 'unknown', reason: `a plan checks at most ${MOST_LOOKED} entries in the store` };
  switch (sight.state) {
    case 'absent':
      return { action: 'create', reason: null };
    case 'ours':
      return { action: 'update', reason: 'an entry of that name already exists, and it has our mark' };
    case 'shared':
      return { action: 'conflict', reason: SHARED };
    case 'unsure':
      return { action: 'unknown', reason: UNSURE };
    case 'unknown':
      return { action: 'unknown', reason: sight.cause?.message ?? null };
    case 'unmarked':
    case 'other':
      return {
        action: policy === 'refuse' ? 'conflict' : policy,
        reason: `${NOT_OURS[sight.state]}; conflict_policy is ${policy}`,
      };
  }
}
