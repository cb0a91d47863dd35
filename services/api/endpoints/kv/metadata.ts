import { Type } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { changeSecret, findSecret, lockSecret } from '../../../../libs/store/secrets/secrets.ts';
import { deleteSecret } from '../../../../libs/store/secrets/lifecycle.ts';
import { writeSettings } from '../../../../libs/store/secrets/metadata.ts';
import { listVersions } from '../../../../libs/store/secrets/read.ts';
import { tellChange } from '../../events/tell-change.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { describeChanges } from '../../../../libs/validation/changes.ts';
import { printerOf } from '../../audit/print.ts';
import { presentSecret } from '../../presenters/secret.ts';
import { checkCustomMetadata, customMetadata, mergeCustomMetadata } from './custom-metadata.ts';
import { secretOf } from './request.ts';
import { limitsBody, limitsOf, type Limits } from './settings.ts';
import { secretMetadataAnswer } from '../../contract/secrets.ts';

const PATH = '/~kv2/metadata/*path';

const patchBody = Type.Object({
  ...limitsBody,
  custom_metadata: customMetadata('Merged; null removes a key.'),
});

/** What a version 2 mount keeps about a secret beside its values. */
export const kvMetadataEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'Read the metadata and all versions of a secret',
    answers: { 200: { data: secretMetadataAnswer } },
    handle: async (request) => {
      const { db } = request.services;
      const secret = await findSecret(db, secretOf(request));
      if (!secret) throw notFound();
      return ok(presentSecret(secret, await listVersions(db, secret.id)));
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Set limits and custom metadata of a secret; it may have no version yet',
    answers: { 204: {} },
    body: Type.Object({
      ...limitsBody,
      custom_metadata: customMetadata('Replaces the present custom metadata.'),
    }),
    exists: async (request) => (await findSecret(request.services.db, secretOf(request))) !== undefined,
    handle: async (request) => {
      const { custom_metadata: given } = request.body;
      const limits = limitsOf(request.body, { allowNegative: false });
      const settings = {
        ...limits,
        ...(given === undefined ? {} : { custom_metadata: checkCustomMetadata(withText(given)) }),
      };
      const key = secretOf(request);
      await transact(request.services.db, async (transaction) => {
        const secret = await lockSecret(transaction, key);
        noteChange(request, secret, settings);
        if (Object.keys(settings).length > 0)
          await writeSettings(transaction, key, { ...settings, last_updated_by: actorOf(request) });
      });
      if (Object.keys(settings).length > 0)
        tellChange(request, { operation: 'metadata-write', path: key.path });
      warnOfCas(request, limits);
      return noContent();
    },
  }),
  endpoint({
    method: 'PATCH',
    path: PATH,
    access: 'policy',
    summary: 'Change some limits and custom metadata of a secret',
    answers: { 204: {} },
    body: patchBody,
    handle: async (request) => {
      const key = secretOf(request);
      const { custom_metadata: patch } = request.body;
      const limits = limitsOf(request.body, { allowNegative: false });
      await transact(request.services.db, async (transaction) => {
        const secret = await lockSecret(transaction, key);
        if (!secret) throw notFound();
        const merged = patch === undefined ? undefined : mergeCustomMetadata(secret.custom_metadata, patch);
        const settings = { ...limits, ...(merged === undefined ? {} : { custom_metadata: merged }) };
        noteChange(request, secret, settings);
        await writeSettings(transaction, key, { last_updated_by: actorOf(request), ...settings });
      });
      tellChange(request, { operation: 'metadata-patch', path: key.path });
      warnOfCas(request, limits);
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Delete a secret with all its versions and metadata for good',
    answers: { 204: {} },
    handle: async (request) => {
      const { services, caller } = request;
      const secret = secretOf(request);
      const count = await changeSecret(
        services.db,
        secret,
        caller.token.display_name,
        (transaction) => deleteSecret(transaction, secret),
        () => ({ kind: 'delete' }),
      );
      if (count > 0) tellChange(request, { operation: 'metadata-delete', path: secret.path });
      request.note({ deleted: 'all versions and the metadata' });
      return noContent();
    },
  }),
];

// Custom metadata are what people wrote about a secret, so they appear as fingerprints.
function noteChange(
  { services, note }: ApiRequest,
  secret: Record<string, unknown> | undefined,
  { custom_metadata: custom, ...limits }: Record<string, unknown>,
): void {
  const before = secret ?? {};
  const changed = describeChanges(before, { ...before, ...limits });
  const [old, next] = [before['custom_metadata'] ?? {}, custom ?? {}] as Record<string, unknown>[];
  const options = { isSecret: () => true, fingerprint: printerOf(services, 'custom metadata') };
  const metadata = custom === undefined ? {} : describeChanges(old ?? {}, next ?? {}, options);
  note({ changed, ...(Object.keys(metadata).length > 0 ? { custom_metadata: metadata } : {}) });
}

function actorOf({ caller }: Pick<ApiRequest, 'caller'>): string {
  return caller.token.display_name;
}

function withText(given: Record<string, string | null> | null): Record<string, string> {
  return Object.fromEntries(Object.entries(given ?? {}).map(([key, value]) => [key, value ?? '']));
}

function warnOfCas(request: Pick<ApiRequest, 'mount' | 'warn'>, limits: Limits): void {
  if (limits.cas_required !== false || !request.mount?.mount.cas_required) return;
  request.warn(
    'cas_required of the secret is false, but the mount requires check-and-set: the mount decides',
  );
}
