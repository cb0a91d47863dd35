import { Type } from 'typebox';
import { badRequest, notFound, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { lookUpMount } from '../../../../libs/store/secrets/mounts.ts';
import { lookUpVersion, openVersion } from '../../../../libs/store/secrets/read.ts';
import { isJsonObject, parseLossless, stringifyLossless } from '../../../../libs/validation/lossless.ts';
import { grantOf } from '../../access/caller.ts';
import { allowsParameters } from '../../access/parameters.ts';
import { auditNamesOf } from '../../audit/secret-names.ts';
import { allowsWrapping } from '../../access/wrapping.ts';
import { revealAnswer, type RevealedAnswer } from '../../contract/secrets.ts';
import { presentVersionMetadata } from '../../presenters/secret.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { secretAt, versionOf, versionQuery } from './request.ts';

const revealBody = Type.Object({
  keys: Type.Optional(Type.Array(Type.String(), { description: 'Show only these keys. Default: all keys.' })),
  version: versionQuery,
});

type RevealRequest = ApiRequest<{ keys?: string[]; version?: number }>;

/**
 * Shows values on demand. Not a GET, so that the audit entry is durable before a value is sent, whatever AUDIT_READS says.
 */
export const revealEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/reveal/*path',
    access: 'token',
    isOfSecret: true,
    summary:
      'Show values of a secret of a version 2 mount; needs `read` on its data, and always writes an audit entry',
    answers: { 200: { data: revealAnswer } },
    body: revealBody,
    handle: reveal,
  }),
];

async function reveal(request: RevealRequest) {
  const { services, namespace, params, body } = request;
  const path = params['path'] ?? '';
  const mount = await lookUpMount(services.db, namespace.id, path);
  const rest = mount ? path.slice(mount.path.length + 1) : '';
  if (mount && rest !== '') request.noteSecret(auditNamesOf(mount, { mount: mount.path, path: rest }));
  // A caller without a right in the mount must not learn whether the mount exists.
  requireRead(request, mount ? `${mount.path}/data/${rest}` : path);
  if (!mount || rest === '') throw notFound();
  if (mount.version !== 2)
    throw badRequest(`the mount ${mount.path}/ is KV version ${mount.version}: read the secret instead`);
  const stored = await lookUpVersion(
    services.db,
    secretAt({ mount: { mount, rest } }, rest),
    versionOf(body),
  );
  const json = stored && openVersion(services.keyring, stored);
  if (!stored || !json) throw notFound();
  const data = parseLossless(json);
  const shown = body.keys && isJsonObject(data) ? pick(data, body.keys) : data;
  const keys = isJsonObject(shown) ? Object.keys(shown) : [];
  const shownKeys = new Set(keys);
  const unknown = [...new Set(body.keys)].filter((key) => !shownKeys.has(key)).length;
  // Names that the secret does not have could be anything, and are only counted.
  request.note({ version: stored.version, keys, ...(unknown > 0 ? { unknown_keys: unknown } : {}) });
  return {
    status: 200,
    // As a text, so that numbers keep every digit.
    data: { values: textsOf(shown), metadata: presentVersionMetadata(stored) },
  };
}

// Requires the same rights, under the same conditions, as reading the data.
function requireRead({ caller, namespace, wrapSeconds, body }: RevealRequest, path: string): void {
  const grant = grantOf(caller, namespace, path);
  const parameters: [string, unknown][] = body.version === undefined ? [] : [['version', body.version]];
  if (
    !grant.capabilities.has('read') ||
    !allowsWrapping(grant, wrapSeconds) ||
    !allowsParameters(grant, parameters, false)
  )
    throw permissionDenied();
}

function pick(data: Record<string, unknown>, keys: string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(data, key)).map((key) => [key, data[key]]));
}

// A text stays as it is; anything else becomes JSON.
function textsOf(shown: unknown): Record<string, RevealedAnswer> {
  const entries = isJsonObject(shown) ? Object.entries(shown) : [];
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      typeof value === 'string'
        ? { text: value, is_text: true }
        : { text: stringifyLossless(value), is_text: false },
    ]),
  );
}
