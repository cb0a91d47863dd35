import { issuerUrl, readEnvironment } from '../../../../libs/config/config.ts';
import type { Destination } from '../../../../libs/connector/contract.ts';
import {
  identityModeOf,
  tokenIssuer,
  tokenSubject,
  withKeptIdentity,
} from '../../../../libs/connector/identity/identity.ts';
import { doubtsOf } from '../../../../libs/connector/settings.ts';
import { operatorSettings } from '../../../../libs/connector/operator.ts';
import { UnsealError } from '../../../../libs/crypto/seal.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import type { DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import { openSecrets } from '../../../../libs/store/destinations/write.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { NamedDestination } from '../named-destination.ts';
import { isSent } from './address.ts';
import { composeDocument, type Composed } from './document.ts';

type Settings = Record<string, unknown>;

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
  const { type, key } = named;
  const kept = present ? { base, present: present.settings } : { base, present: {} };
  const issuer = tokenIssuer(issuerUrl(config), namespace.path);
  const composed = composeDocument(
    type,
    {
      base: withKeptIdentity(type, kept, (name) => isSent(body[name])),
      body,
      secrets,
      namePrefix: config.NAME_PREFIX,
      isNew: present === undefined,
      issuer,
      subject: tokenSubject(type, { namespace: namespace.path, name: key.name }),
    },
    operator,
  );
  const { settings, secrets: sealed } = composed.document;
  const given = { ...settings, ...sealed };
  const warnings = [
    ...doubtsOf(type, given),
    ...identityWarnings(type, { given, present: present?.settings, issuer }),
  ];
  return { ...composed, warnings: [...composed.warnings, ...warnings] };
}

// A call that empties a field, or misspells it, may have changed how the destination signs in.
function identityWarnings(
  type: Destination,
  change: { given: Settings; present: Settings | undefined; issuer: string },
): string[] {
  const { given, present, issuer } = change;
  const mode = identityModeOf(type, given);
  const isNewMode = present === undefined || identityModeOf(type, present) !== mode;
  if (mode === 'ambient' && isNewMode && type.identity)
    return [
      `the destination signs in with the worker's own identity, because it has neither ${type.identity.credential} nor identity_token_audience`,
    ];
  if (mode !== 'federated' || issuer.startsWith('https:')) return [];
  return [`stores fetch the keys of ${issuer} over public https: let the operator set ISSUER_URL`];
}
