import type { EntryKey } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { describeSecret, hasCode, type Tools } from './secret-state.ts';

/** The secret that the ledger holds is not in this account and region; one of its name may be somebody else's. */
function heldIsGone(): ConnectorError {
  return new ConnectorError({
    kind: 'missing',
    code: 'not_found',
    message: 'The secret that was written here is gone; one of the same name is another one.',
  });
}

/**
 * Calls AWS about the very secret that the ledger holds. Its ARN ends in letters that are new for each creation, so a
 * secret that somebody made anew under the same name is another one. Throws kind `missing` where it is not here.
 */
export async function withHeldArn<Result>(
  tools: Tools,
  { name, reference }: EntryKey,
  signal: AbortSignal,
  call: (arn: string) => Promise<Result>,
): Promise<Result> {
  const arn = reference ?? (await findOwnArn(tools, name, signal));
  if (arn === null) throw heldIsGone();
  try {
    return await call(arn);
  } catch (error) {
    // AWS refuses an ARN of another account, where the worker's own identity led to before.
    const isElsewhere = hasCode(error, 'permission_missing') && (await isNotHere(tools, name, arn, signal));
    throw isElsewhere ? heldIsGone() : error;
  }
}

// A crash before the result of the first write was stored leaves no ARN in the ledger: then our mark tells.
async function findOwnArn(tools: Tools, name: string, signal: AbortSignal): Promise<string | null> {
  const state = await describeSecret(tools, name, signal);
  return state?.owner === 'ours' ? state.arn : null;
}

async function isNotHere(tools: Tools, name: string, arn: string, signal: AbortSignal): Promise<boolean> {
  try {
    const state = await describeSecret(tools, name, signal);
    return state?.arn !== arn;
  } catch (error) {
    if (hasCode(error, 'permission_missing')) return false;
    throw error;
  }
}
