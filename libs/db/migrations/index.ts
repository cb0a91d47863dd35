import { access } from './001-access.ts';
import { kv } from './002-kv.ts';
import { sync } from './003-sync.ts';
import { settings } from './004-settings.ts';
import { maintenance } from './005-maintenance.ts';
import { versions } from './006-versions.ts';

export type Migration = { name: string; sql: string };

/** In order; forward only. A step must leave the processes of the version before it working. */
export const migrations: Migration[] = [access, kv, sync, settings, maintenance, versions];
