import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { destinationPath } from '../../api/queries.ts';
import { readOf, rightFor, type Right } from '../../api/right.ts';

/** A secret, in the form that bulk calls use. */
export type SecretRef = { mount: string; secret_name: string };

/** The secrets of a text, one on each line. Blanks count, because the name of a secret may have them. */
export function secretsOf(mount: string, text: string): SecretRef[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return [...new Set(lines)].map((line) => ({ mount, secret_name: line }));
}

/** The right to the values of each secret. The API links only secrets that the caller may read. */
export function readsOf(secrets: SecretRef[]): Right[] {
  return secrets.map(({ mount, secret_name: path }) => readOf({ mount, path }));
}

type Planned = { destination?: Record<string, unknown>; secrets?: SecretRef[] };

/**
 * The call that tells what linking secrets, or a change of the destination, would do; `draft`: the right to make that
 * change.
 */
export function planOf(type: string, name: string, body: Planned, draft?: Right): Call {
  const path = `${destinationPath(type, name)}/plan`;
  const rights = [rightFor('POST', path), ...(draft ? [draft] : [])];
  return { method: 'POST', path, body: { ...body, look: true }, rights };
}

/** Makes that call. Does not ask the store if there is no worker of its type. */
export async function readPlan(plan: Call): Promise<PlanAnswer> {
  return ask<PlanAnswer>(plan).catch((error: unknown) => {
    if (!(error instanceof ApiFailure) || error.status !== 503) throw error;
    return ask<PlanAnswer>({ ...plan, body: { ...(plan.body as object), look: false } });
  });
}
