import { readKeySchedule } from '../../../libs/store/oidc/keys.ts';
import type { Work } from '../job.ts';
import { trimKeys } from '../keys.ts';

/** Removes old signing keys 30 days after the rotation that replaced them. */
export const trimSigningKeysJob: Work = {
  name: 'trim-signing-keys',
  description: 'Remove OIDC signing keys that were replaced 30 days ago or earlier',
  run: async ({ services, now, change }) => {
    const removed = await trimKeys({ services, now, change, onlyIfDue: true });
    const { trimAt } = await readKeySchedule(services.db);
    return { trimmed: removed.length, next: trimAt?.toISOString() ?? null };
  },
};
