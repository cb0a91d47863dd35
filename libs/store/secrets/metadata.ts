import type { Database } from '../../db/connect.ts';
import type { SecretKey } from './secrets.ts';

/**
 * The settings of a secret that change without a new version; an absent field stays as it is. `last_updated_by`: who sets
 * them.
 */
export type SecretSettings = {
  last_updated_by: string;
  max_versions?: number;
  cas_required?: boolean;
  delete_version_after_seconds?: number;
  custom_metadata?: Record<string, string> | null;
};

/** Creates the secret, without a version, if it does not exist yet. */
export async function writeSettings(
  db: Database,
  { mount, path }: SecretKey,
  settings: SecretSettings,
): Promise<void> {
  await db('secrets')
    .insert({ mount_id: mount.id, path, ...settings })
    .onConflict(['mount_id', 'path'])
    .merge({ ...settings, updated_at: db.raw('clock_timestamp()') });
}
