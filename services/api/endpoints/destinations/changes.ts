import { isSensitive } from '../../../../libs/connector/settings.ts';
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
