import { accessTables } from './baseline/access.ts';
import { associationsTables } from './baseline/associations.ts';
import { auditTables } from './baseline/audit.ts';
import { destinationsTables } from './baseline/destinations.ts';
import { maintenanceTables } from './baseline/maintenance.ts';
import { notificationsTables } from './baseline/notifications.ts';
import { policyEngineVersionTables } from './baseline/policy-engine-versions.ts';
import { secretsTables } from './baseline/secrets.ts';
import { settingsTables } from './baseline/settings.ts';

/** The schema of the first release; each text refers only to tables before it. */
export const baseline = {
  name: '001-baseline',
  sql: [
    accessTables,
    secretsTables,
    destinationsTables,
    associationsTables,
    settingsTables,
    auditTables,
    maintenanceTables,
    notificationsTables,
    policyEngineVersionTables,
  ].join(''),
};
