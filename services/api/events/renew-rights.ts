import { RequestError } from '../../../libs/errors/request-error.ts';
import type { Database } from '../../../libs/db/connect.ts';
import { findNamespace } from '../../../libs/store/access/namespaces.ts';
import { findTokenByAccessor } from '../../../libs/store/access/tokens.ts';
import { groupBy } from '../../../libs/collections/group-by.ts';
import { isWithinCidrs } from '../access/bound-cidrs.ts';
import { grantOf, loadCaller, type Caller } from '../access/caller.ts';
import type { Subscription } from './subscription.ts';

// Look-ups at the same time: few, because requests need the connections too.
const AT_ONCE = 4;

/**
 * Looks up the tokens, policies and namespaces of subscriptions, and ends those that have lost the right to subscribe. Each
 * token is looked up once. Throws if the database cannot say; the others keep what they had.
 */
export async function renewRights(db: Database, subscriptions: Subscription[]): Promise<void> {
  const existing = new Map<string, Promise<string | undefined>>();
  const idOf = (path: string): Promise<string | undefined> => {
    const known = existing.get(path) ?? findNamespace(db, path).then((found) => found?.id);
    existing.set(path, known);
    return known;
  };
  const tokens = [...groupBy(subscriptions, ({ accessor }) => accessor)];
  const renewNext = async (): Promise<void> => {
    for (let next = tokens.pop(); next; next = tokens.pop()) {
      const [accessor, all] = next;
      const caller = await findCallerOf(db, accessor);
      for (const one of all) {
        const { namespace, path, address } = one.wanted;
        const isThere = (await idOf(namespace.path)) === namespace.id;
        if (
          isThere &&
          caller &&
          isWithinCidrs(address, caller.token.bound_cidrs) &&
          grantOf(caller, namespace, path).capabilities.has('read')
        )
          one.renew(caller);
        else one.end('rightLost');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, renewNext));
}

async function findCallerOf(db: Database, accessor: string): Promise<Caller | undefined> {
  const token = await findTokenByAccessor(db, accessor);
  try {
    return token && (await loadCaller(db, token));
  } catch (error) {
    // Its policies are too many to be evaluated.
    if (error instanceof RequestError && error.status === 403) return undefined;
    throw error;
  }
}
