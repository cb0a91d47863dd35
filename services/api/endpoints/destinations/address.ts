import type { Destination } from '../../../../libs/connector/contract.ts';
import { addressSettings, isSensitive, withDefaults } from '../../../../libs/connector/settings.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import type { DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import type { DestinationDocument } from '../../../../libs/store/destinations/write.ts';

const ONLY_ASTERISKS = /^\*+$/;

/**
 * We send a stored credential only to the address for which it was given. So a caller who changes the address of a
 * destination must send its secrets again. Throws 400.
 */
export function refuseKeptSecrets(
  type: Destination,
  change: { present: DestinationRow; document: DestinationDocument; body: Record<string, unknown> },
): void {
  const { present, document, body } = change;
  const kept = Object.keys(document.secrets).filter(
    (name) => isSensitive(type, name) && Object.hasOwn(present.settings, name) && !isSent(body[name]),
  );
  const before = withDefaults(type, present.settings);
  const after = withDefaults(type, document.settings);
  const moved = addressSettings(type).filter((name) => addressOf(before[name]) !== addressOf(after[name]));
  if (kept.length === 0 || moved.length === 0) return;
  throw badRequest(
    `${kept.join(' and ')} must be sent again with a new ${moved.join(' and ')}: what was stored for one address is not used at another`,
  );
}

/** Whether a field of a body holds a secret of its own: neither nothing nor the mask. */
export function isSent(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !ONLY_ASTERISKS.test(value);
}

// Scheme, host and port of a URL; any other text in lower case.
function addressOf(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  return URL.canParse(text) ? new URL(text).origin : text.toLowerCase();
}
