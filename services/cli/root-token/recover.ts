import { userInfo } from 'node:os';
import { transact } from '../../../libs/db/transact.ts';
import type { Config } from '../../../libs/config/config.ts';
import { createToken } from '../../../libs/store/access/tokens.ts';
import { finishAuditEvents, insertAuditEvents } from '../../../libs/store/audit/events.ts';
import { withInstallation } from './open-installation.ts';

export type RecoveredToken = { token: string; accessor: string; ttlSeconds: number };

/**
 * A root token that expires, for an operator who has the database and the master key. The token and its audit entry are
 * one transaction, so no token exists without an entry.
 */
export function recoverRootToken(config: Config, ttlSeconds: number): Promise<RecoveredToken> {
  return withInstallation(config, ({ db, hashKey }) =>
    transact(db, async (transaction) => {
      const { secret, accessor } = await createToken(transaction, hashKey, {
        namespaceId: 'root',
        parentId: null,
        displayName: 'recovered-root',
        policies: ['root'],
        renewable: false,
        ttlSeconds,
        explicitMaxTtlSeconds: ttlSeconds,
      });
      const [id = 0] = await insertAuditEvents(transaction, [
        {
          accessor: null,
          actor: 'operator',
          namespace: '',
          action: 'recover root token',
          path: 'auth/token/create',
          requestId: null,
        },
      ]);
      const detail = { accessor, ttl_seconds: ttlSeconds, user: userInfo().username };
      await finishAuditEvents(transaction, [{ id, outcome: 'succeeded', status: null, detail }]);
      return { token: secret, accessor, ttlSeconds };
    }),
  );
}
