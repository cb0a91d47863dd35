import type { Context as KoaContext } from 'koa';
import type { Database } from '../../../libs/db/connect.ts';
import { spendUse } from '../../../libs/store/access/tokens.ts';
import type { Caller } from '../access/caller.ts';
import type { Dialect } from './dialects/dialect.ts';

/**
 * Counts the request against the uses of its token, if it has a number of them, whatever becomes of the request. Throws
 * the refusal of an unknown caller where none is left. The maintenance job deletes what is used up.
 */
export async function countUse(db: Database, dialect: Dialect, ctx: KoaContext): Promise<void> {
  const caller: Caller | undefined = ctx.state['caller'];
  if (!caller || caller.token.uses_left === null) return;
  const left = await spendUse(db, caller.token.id);
  if (left === undefined) throw dialect.denied(false);
  // A copy: requests at the same moment share what the cache holds.
  ctx.state['caller'] = { ...caller, token: { ...caller.token, uses_left: left } };
}
