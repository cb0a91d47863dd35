import { transact } from '../../../libs/db/transact.ts';
import type { Config } from '../../../libs/config/config.ts';
import { finishAuditEvents, insertAuditEvents } from '../../../libs/store/audit/events.ts';
import { readDatabaseId } from '../../../libs/store/maintenance/database-id.ts';
import { noteHome } from '../../../libs/store/maintenance/home.ts';
import { acceptLoss } from '../../../libs/store/maintenance/lost-writes.ts';
import { withInstallation } from './open-installation.ts';

/**
 * Accepts the database as the failover or the restore left it; false if no decision is pending. Writes an audit entry. No
 * process need have noticed before that the database is a copy.
 */
export function acceptLostWrites(config: Config): Promise<boolean> {
  return withInstallation(config, async ({ db }) => {
    await noteHome(db, await readDatabaseId(db));
    return transact(db, async (transaction) => {
      if (!(await acceptLoss(transaction))) return false;
      const [id = 0] = await insertAuditEvents(transaction, [
        {
          accessor: null,
          actor: 'operator',
          namespace: '',
          action: 'accept lost writes',
          path: 'recover/lost-writes',
          requestId: null,
        },
      ]);
      await finishAuditEvents(transaction, [{ id, outcome: 'succeeded', status: null, detail: {} }]);
      return true;
    });
  });
}
