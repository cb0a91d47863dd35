import type { Context as KoaContext } from 'koa';
import type { Database } from '../../../libs/db/connect.ts';
import { spendUse } from '../../../libs/store/access/tokens.ts';
import type { Caller } from '../access/caller.ts';
import type { Dialect } from './dialects/dialect.ts';

/**
 * Counts the request against the uses of its token, if they are limited, whatever the outcome of the request. If no use
 * is left, throws the refusal that an unknown caller gets. The maintenance job deletes tokens that are used up.
 */
export async function countUse(db: Database, dialect: Dialect, ctx: KoaContext): Promise<void> {
  const caller: Caller | undefined = ctx.state['caller'];
  if (!caller || caller.token.uses_left === null) return;
  const left = await spendUse(db, caller.token.id);
  if (left === undefined) throw dialect.denied(false);
  // A copy, because concurrent requests share the object in the cache.
  ctx.state['caller'] = { ...caller, token: { ...caller.token, uses_left: left } };
}
