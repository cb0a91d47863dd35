import type { AuditSecret } from '../../../libs/store/audit/events.ts';
import type { Mount } from '../../../libs/store/secrets/mounts.ts';
import { LIMITS } from '../limits.ts';
import { maskTokens } from './told-path.ts';

// An index of Postgres takes no more than 2,700 bytes.
const MOST_BYTES = 2000;
const SHOWN = 400;

/** A secret of a mount, for the audit trail. Without a mount, it is only a name that somebody sent. */
export function auditNamesOf(
  mount: Pick<Mount, 'id' | 'path'> | undefined,
  given: { mount: string; path: string },
): AuditSecret {
  const secret = boundedName(`${given.mount}/${given.path}`);
  const canExist =
    mount?.path === given.mount &&
    byteLength(given.path) <= LIMITS.secretPathBytes.value &&
    maskTokens(given.path) === given.path;
  return canExist ? { secret, mountId: mount.id, secretPath: given.path } : { secret };
}

/** The name of a secret as the trail keeps it: one that is too long for any secret is cut. */
export function boundedName(secret: string): string {
  const text = cleanText(secret);
  return byteLength(text) <= MOST_BYTES ? text : `${text.slice(0, SHOWN).toWellFormed()}…`;
}

/** A text that somebody sent, without what Postgres refuses, and without tokens. */
export function cleanText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return maskTokens(text.replaceAll(/[\u0000-\u001f\u007f]/g, '\ufffd').toWellFormed());
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
