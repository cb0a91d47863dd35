import { Type, type Static } from 'typebox';
import { reasonOf, RequestError } from '../../../../libs/errors/request-error.ts';
import type { BulkAnswer, BulkOutcome } from '../../contract/plans.ts';
import type { ApiRequest, Reply } from '../../routing/endpoint.ts';

/** Most secrets that one call is about; a longer filter goes on with `next_after`. */
export const MOST_SECRETS = 500;
// What is not reached by then is said so.
const LONGEST_MS = 15_000;

export const secretsSchema = Type.Array(Type.Object({ mount: Type.String(), secret_name: Type.String() }), {
  maxItems: MOST_SECRETS,
  description: `Which secrets, at most ${MOST_SECRETS}.`,
});

export const afterSchema = Type.String({
  description: '`next_after` of an earlier answer; empty: from the beginning.',
});

export type BulkSecret = Static<typeof secretsSchema>[number];

type Done = { outcome: BulkOutcome['outcome'] };

/**
 * Does one thing for each secret, one after the other, each by itself: what is wrong with one keeps no other back, and what
 * became of each is told, also where something fails in between.
 */
export async function forEachSecret(
  secrets: BulkSecret[],
  act: (secret: BulkSecret) => Promise<Done>,
): Promise<BulkOutcome[]> {
  const end = performance.now() + LONGEST_MS;
  const outcomes: BulkOutcome[] = [];
  let broken: unknown;
  for (const secret of secrets) {
    if (broken || performance.now() > end) {
      outcomes.push({ ...secret, outcome: 'not_tried', error: null });
      continue;
    }
    try {
      outcomes.push({ ...secret, ...(await act(secret)), error: null });
    } catch (error) {
      const isRefusal = error instanceof RequestError && error.status < 500;
      if (isRefusal) outcomes.push({ ...secret, outcome: 'refused', error: reasonOf(error) });
      // Nothing was done yet: the caller is told as for a single one.
      else if (outcomes.length === 0) throw error;
      else {
        broken = error;
        outcomes.push({
          ...secret,
          outcome: 'unknown',
          error: 'a part of the service failed: send it again',
        });
      }
    }
  }
  return outcomes;
}

/** The answer of the calls that do much at once; the audit trail gets the counts. */
export function answerBulk(
  { params }: Pick<ApiRequest, 'params'>,
  outcomes: BulkOutcome[],
  next: string | null,
): Reply {
  const totals: BulkAnswer['totals'] = {};
  for (const { outcome } of outcomes) totals[outcome] = (totals[outcome] ?? 0) + 1;
  const data: BulkAnswer = {
    store_name: params['name'] ?? '',
    store_type: params['type'] ?? '',
    secrets: outcomes,
    totals,
    next_after: next,
  };
  const counts = Object.entries(totals).map(([outcome, count]) => [outcome, String(count)]);
  return { status: 200, data, audited: Object.fromEntries(counts) };
}
