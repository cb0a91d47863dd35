import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { change } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { destinationPath } from '../../api/queries.ts';

/** A secret, in the form that bulk calls use. */
export type SecretRef = { mount: string; secret_name: string };

/** The secrets of a text, one on each line. */
export function secretsOf(mount: string, text: string): SecretRef[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines)].filter(Boolean).map((line) => ({ mount, secret_name: line }));
}

/**
 * What linking secrets, or a change of the destination, would do. Asks the store too, unless there is no worker of its
 * type.
 */
export async function readPlan(
  type: string,
  name: string,
  body: { destination?: Record<string, unknown>; secrets?: SecretRef[] },
): Promise<PlanAnswer> {
  const plan = (look: boolean): Promise<PlanAnswer> =>
    change<PlanAnswer>('POST', `${destinationPath(type, name)}/plan`, { ...body, look });
  return plan(true).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 503) return plan(false);
    throw error;
  });
}
