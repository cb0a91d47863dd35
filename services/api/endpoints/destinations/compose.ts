import { readEnvironment } from '../../../../libs/config/config.ts';
import { operatorSettings } from '../../../../libs/connector/operator.ts';
import { UnsealError } from '../../../../libs/crypto/seal.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import type { DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import { openSecrets } from '../../../../libs/store/destinations/write.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { NamedDestination } from '../named-destination.ts';
import { composeDocument, type Composed } from './document.ts';

/**
 * The destination that the fields of a call describe. `present`: the existing row; `base`: the fields that it keeps.
 * Throws 400.
 */
export function compose(
  { services, namespace }: ApiRequest,
  named: NamedDestination,
  change: { present?: DestinationRow; base?: Record<string, unknown>; body: Record<string, unknown> },
): Composed {
  const { keyring, config } = services;
  const { present, base = {}, body } = change;
  const operator = operatorSettings(config, namespace.path, readEnvironment);
  const secrets = (): Record<string, unknown> => {
    if (!present) return {};
    try {
      return openSecrets(keyring, present);
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      throw badRequest('the stored credentials can no longer be decrypted: send all of them again');
    }
  };
  const input = { base, body, secrets, namePrefix: config.NAME_PREFIX, isNew: present === undefined };
  return composeDocument(named.type, input, operator);
}
