import { isDeepStrictEqual } from 'node:util';
import { isSensitive } from '../../../../libs/connector/settings.ts';
import { UnsealError } from '../../../../libs/crypto/seal.ts';
import type { DestinationOptions, DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import type { DestinationDocument } from '../../../../libs/store/destinations/write.ts';
import { describeChanges, type AttributeChange } from '../../../../libs/validation/changes.ts';
import { printerOf } from '../../audit/print.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { NamedDestination } from '../named-destination.ts';

/** What a change does to each field of a destination; the fingerprints of its secrets belong to it alone. */
export function changesOf(
  { services, namespace }: ApiRequest,
  { type, key }: NamedDestination,
  { before, document }: { before: Record<string, unknown>; document: DestinationDocument },
): Record<string, AttributeChange> {
  const { settings, secrets, options } = document;
  return describeChanges(
    before,
    { ...settings, ...secrets, ...options },
    {
      isSecret: (name) => !Object.hasOwn(options, name) && isSensitive(type, name),
      fingerprint: printerOf(services, `destination ${namespace.path} ${key.type}/${key.name}`),
    },
  );
}

/** Whether a change leaves the settings and the credentials as they are. */
export function isSameConnection(
  present: DestinationRow,
  document: DestinationDocument,
  secretsOf: () => Record<string, unknown>,
): boolean {
  return changedSettings(present, document, secretsOf).length === 0;
}

/** Whether it leaves the options as they are, and there is no failed purge that it ends. */
export function isSameOtherwise(present: DestinationRow, document: DestinationDocument): boolean {
  return present.purge_error === null && changedOptions(present, document).length === 0;
}

// They change neither which entry a link has nor what is written there.
const ASIDE = new Set<string>([
  'deletion_policy',
  'drift_check',
  'owner_check_seconds',
] satisfies (keyof DestinationOptions)[]);

/** Whether what people decided about entries outlasts a change: each link still has the same entry, and writes the same. */
export function keepsDecisions(
  present: DestinationRow,
  document: DestinationDocument,
  secretsOf: () => Record<string, unknown>,
): boolean {
  return (
    isSameConnection(present, document, secretsOf) &&
    changedOptions(present, document).every((name) => ASIDE.has(name))
  );
}

// Credentials that can no longer be opened count as changed.
function changedSettings(
  present: DestinationRow,
  document: DestinationDocument,
  secretsOf: () => Record<string, unknown>,
): string[] {
  const { settings, secrets } = document;
  return differences(fieldsBefore(present, document, secretsOf), { ...settings, ...secrets });
}

/** The settings and credentials before it. */
export function fieldsBefore(
  present: DestinationRow,
  { secrets }: DestinationDocument,
  secretsOf: () => Record<string, unknown>,
): Record<string, unknown> {
  const open = Object.entries(present.settings).filter(([name]) => !Object.hasOwn(secrets, name));
  return { ...Object.fromEntries(open), ...openedOrNone(secretsOf) };
}

function openedOrNone(secretsOf: () => Record<string, unknown>): Record<string, unknown> {
  try {
    return secretsOf();
  } catch (error) {
    if (error instanceof UnsealError) return {};
    throw error;
  }
}

function changedOptions(present: DestinationRow, { options }: DestinationDocument): string[] {
  return differences(optionsBefore(present, { options }), options);
}

/** The options before it. */
export function optionsBefore(
  present: DestinationRow,
  { options }: Pick<DestinationDocument, 'options'>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(options).map((name) => [name, present[name as keyof DestinationRow]]),
  );
}

function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name])).toSorted();
}
