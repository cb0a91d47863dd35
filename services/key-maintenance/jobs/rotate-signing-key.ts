import { readKeySchedule } from '../../../libs/store/oidc/keys.ts';
import type { Work } from '../job.ts';
import { rotateKey } from '../keys.ts';

/** Adds a signing key 90 days after the last rotation, scheduled or by hand; also adds the first key if there is none. */
export const rotateSigningKeyJob: Work = {
  name: 'rotate-signing-key',
  description: 'Rotate the OIDC signing key if the last rotation is 90 days ago',
  run: async ({ services, now, change }) => {
    const before = await readKeySchedule(services.db);
    // Checked again under the lock: a rotation by hand may come in between.
    const isDue = before.rotateAt === null || before.rotateAt <= now;
    const added = isDue ? await rotateKey({ services, now, change, onlyIfDue: true }) : null;
    const { rotateAt } = await readKeySchedule(services.db);
    return { rotated: added === null ? 0 : 1, kid: added, next: rotateAt?.toISOString() ?? null };
  },
};
