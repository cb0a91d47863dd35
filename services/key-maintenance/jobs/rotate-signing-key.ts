import { readKeySchedule } from '../../../libs/store/oidc/keys.ts';
import type { Work } from '../job.ts';
import { rotateKey } from '../keys.ts';

/** A new signing key 90 days after the last rotation, by whomever; the first one where there is none. */
export const rotateSigningKeyJob: Work = {
  name: 'rotate-signing-key',
  description: 'Rotate the OIDC signing key where the last rotation is 90 days ago',
  run: async ({ services, now, change }) => {
    const before = await readKeySchedule(services.db);
    // Looked at again under the lock: a rotation by hand may come between.
    const isDue = before.rotateAt === null || before.rotateAt <= now;
    const added = isDue ? await rotateKey({ services, now, change, onlyIfDue: true }) : null;
    const { rotateAt } = await readKeySchedule(services.db);
    return { rotated: added === null ? 0 : 1, kid: added, next: rotateAt?.toISOString() ?? null };
  },
};
