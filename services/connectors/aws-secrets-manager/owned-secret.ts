import type { EntryKey } from '../../../libs/connector/contract.ts';
import { type ConnectorError, hasCode } from '../../../libs/connector/errors.ts';
import { failures, isOfState } from './failures.ts';
import { arnIn } from './reference.ts';
import { describeSecret, type OpenStore } from './secret-state.ts';

type Calls<Result> = {
  call: (arn: string) => Promise<Result>;
  /** Runs instead if the secret waits for its deletion, or was deleted since. */
  whenDeleted: (arn: string) => Promise<Result>;
};

/**
 * Calls AWS about the very secret that the ledger holds. Its ARN ends in letters that are new for each creation, so a
 * secret that somebody created again under the same name is another one. Throws kind `missing` if the secret is not
 * there.
 */
export async function withOwnedSecret<Result>(
  store: OpenStore,
  { name, reference }: EntryKey,
  { call, whenDeleted }: Calls<Result>,
): Promise<Result> {
  const arn = reference === null ? await findOwnArn(store, name) : arnIn(reference);
  if (arn === null) throw ownedIsGone();
  try {
    return await call(arn);
  } catch (error) {
    // AWS refuses an ARN of another account: the worker's own identity may have led to that account before.
    if (hasCode(error, 'permission_missing') && (await isNotHere(store, name, arn))) throw ownedIsGone();
    if (!isOfState(error)) throw error;
    const state = await describeSecret(store, arn);
    if (state && !state.isScheduledForDeletion) throw error;
    return whenDeleted(arn);
  }
}

function ownedIsGone(): ConnectorError {
  const message =
    'Someone replaced the secret that was written here: the present one of that name is another secret.';
  return failures.fail('not_found', { message });
}

// After a crash before the result of the first write was stored, the ledger has no ARN. Then our mark shows whose the
// secret is.
async function findOwnArn(store: OpenStore, name: string): Promise<string | null> {
  const state = await describeSecret(store, name);
  return state?.owner === 'ours' ? state.arn : null;
}

async function isNotHere(store: OpenStore, name: string, arn: string): Promise<boolean> {
  try {
    const state = await describeSecret(store, name);
    return state?.arn !== arn;
  } catch (error) {
    if (hasCode(error, 'permission_missing')) return false;
    throw error;
  }
}
