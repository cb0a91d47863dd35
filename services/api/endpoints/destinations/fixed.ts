import { isDeepStrictEqual } from 'node:util';
import type { Destination } from '../../../../libs/connector/contract.ts';
import { withDefaults } from '../../../../libs/connector/settings.ts';
import { UnsealError } from '../../../../libs/crypto/seal.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { countAssociations, type DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import type { DestinationDocument } from '../../../../libs/store/destinations/write.ts';
import { counted } from '../../../../libs/collections/counted.ts';

type Settings = Record<string, unknown>;

/**
 * Throws 400 if after a change we could no longer reach the entries in the store; `secretsOf` opens the present
 * credentials.
 */
export async function refuseFixed(
  transaction: Database,
  type: Destination,
  change: { present: DestinationRow; document: DestinationDocument; secretsOf: () => Settings },
): Promise<void> {
  const { present, document, secretsOf } = change;
  const secrets = openPresent(secretsOf);
  const isKnown = secrets !== null;
  const before = withImplied(type, withDefaults(type, { ...present.settings, ...secrets }), isKnown);
  const after = withImplied(type, withDefaults(type, { ...document.settings, ...document.secrets }), isKnown);
  // Switched off, empty and absent count as the same.
  const changed: string[] = type.fixedSettings.filter(
    (name: string) => !isDeepStrictEqual(before[name] || null, after[name] || null),
  );
  changed.push(...changedParts(type, before, after));
  if (changed.length === 0) return;
  const { count } = await countAssociations(transaction, { destination_id: present.id });
  if (count === 0) return;
  throw new RequestError('setting_is_fixed', [
    `${changed.join(', ')} cannot change while the destination manages ${counted(count, 'association')}: otherwise Sealift could no longer manage its entries; remove the associations first, or create another destination`,
  ]);
}

function changedParts({ fixedParts }: Destination, before: Settings, after: Settings): string[] {
  const [former, next] = [fixedParts?.(before) ?? {}, fixedParts?.(after) ?? {}];
  return Object.keys(next).filter(
    (name) => former[name] !== undefined && next[name] !== undefined && former[name] !== next[name],
  );
}

// Null if the credentials can no longer be opened: we must accept new ones anyway.
function openPresent(secretsOf: () => Settings): Settings | null {
  try {
    return secretsOf();
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}

function withImplied(type: Destination, settings: Settings, isKnown: boolean): Settings {
  const implied = isKnown ? type.impliedSettings?.(settings) : {};
  const given = Object.entries(settings).filter(([, value]) => value);
  return { ...implied, ...Object.fromEntries(given) };
}
