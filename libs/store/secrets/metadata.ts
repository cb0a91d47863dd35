import type { Database } from '../../db/connect.ts';
import type { SecretKey } from './secrets.ts';

/** What a caller may set of a secret without writing a version; what is absent stays as it is. `last_updated_by`: who sets it. */
export type SecretSettings = {
  last_updated_by: string;
  max_versions?: number;
  cas_required?: boolean;
  delete_version_after_seconds?: number;
  custom_metadata?: Record<string, string> | null;
};

/** Makes the secret where it is not there yet, without a version. */
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
