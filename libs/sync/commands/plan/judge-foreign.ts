import { MOST_LOOKED, type PlannedStep, type PlanRequest } from '../../../commands/connector-commands.ts';
import { clauseOf } from '../../../telling/cause-titles.ts';
import type { Cause } from '../../../store/orders/order.ts';
import { NOT_OURS } from './look-up.ts';
import type { Sight } from '../verify.ts';

const SHARED =
  'another destination writes to the same account or project and manages the entry with this name';
const UNSURE =
  'an entry with this name already exists and bears our mark, but Sealift cannot tell whether another destination manages it';

const UNCHECKED = 'the store could not be checked';

// What becomes of an entry that the store may have, by the conflict policy.
const AT_STAKE = {
  refuse: 'if an entry of someone else has this name, it is left alone, and the link fails',
  overwrite: 'if an entry of someone else has this name, its value is replaced',
  adopt: 'if an entry of someone else has this name, it is adopted, and its value is replaced if it differs',
};

/** Why an entry could not be checked, after what that puts at stake. */
export function whyUnchecked(cause: Cause | null): string {
  return cause ? `${UNCHECKED}: ${clauseOf(cause.message)}` : UNCHECKED;
}

/** Why the store is not asked about an entry. */
export const TOO_MANY = `a plan checks at most ${MOST_LOOKED} entries in the store`;

/**
 * What becomes of an entry of which the ledger has none; without a reason, the one that is known stays. `ours`: the
 * fingerprint of the wanted value.
 */
export function judgeForeign(
  sight: Sight | undefined,
  policy: PlanRequest['destination']['conflictPolicy'],
  ours: string | undefined,
): Pick<PlannedStep, 'action'> & { reason?: string } {
  if (!sight) return { action: 'unknown', reason: `${AT_STAKE[policy]}; ${TOO_MANY}` };
  switch (sight.state) {
    case 'absent':
      return { action: 'create' };
    case 'ours':
      return { action: 'update', reason: 'an entry with this name already exists and bears our mark' };
    case 'shared':
      return { action: 'conflict', reason: SHARED };
    case 'unsure':
      return { action: 'unknown', reason: UNSURE };
    case 'unknown':
      return {
        action: 'unknown',
        reason: `${AT_STAKE[policy]}; ${whyUnchecked(sight.cause)}`,
      };
    case 'unmarked':
    case 'other':
      return sight.blocked === undefined
        ? decide(NOT_OURS[sight.state], policy, ours, sight)
        : { action: 'conflict', reason: sight.blocked };
  }
}

// What becomes of an entry that is not ours. If its value is known to differ, adopting it replaces that value.
function decide(
  what: string,
  policy: PlanRequest['destination']['conflictPolicy'],
  ours: string | undefined,
  { print: found, becomes }: Sight,
): Pick<PlannedStep, 'action'> & { reason: string } {
  if (policy === 'refuse')
    return { action: 'conflict', reason: `${what}; it is left alone, and the link fails` };
  const also = becomes === undefined ? '' : `, and it ${becomes}`;
  if (policy === 'overwrite') return { action: 'overwrite', reason: `${what}; its value is replaced${also}` };
  if (found === undefined || found === null || ours === undefined)
    return { action: 'adopt', reason: `${what}; its value is replaced if it differs${also}` };
  return found === ours
    ? { action: 'adopt', reason: `${what}; it has our value already${also}` }
    : { action: 'overwrite', reason: `${what}; its value differs and is replaced${also}` };
}
