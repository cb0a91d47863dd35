import { createHash } from 'node:crypto';

/**
 * The name of a destination's sessions. The trust policy of a role that trusts the worker's own identity must demand it:
 * anybody can name the role and its external ID.
 */
export function roleSessionName(subject: string): string {
  return `sealift-${createHash('sha256').update(subject).digest('hex').slice(0, 16)}`;
}
