import { Type } from 'typebox';
import type { Database } from '../../../../libs/db/connect.ts';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import { changeSecret, lockSecret, type SecretKey } from '../../../../libs/store/secrets/secrets.ts';
import { findVersion, openVersion } from '../../../../libs/store/secrets/read.ts';
import { addVersion } from '../../../../libs/store/secrets/write.ts';
import {
  deleteVersions,
  destroyVersions,
  undeleteVersions,
  versionsChange,
  type ChangedVersions,
  type VersionChange,
} from '../../../../libs/store/secrets/lifecycle.ts';
import { tellChange } from '../../events/tell-change.ts';
import { endpoint, isThere, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { presentVersionMetadata } from '../../presenters/secret.ts';
import { versionMetadataAnswer } from '../../contract/secrets.ts';
import { casOf, secretOf, versionOf, versionsOf } from './request.ts';

const versionsBody = Type.Object({
  versions: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Numbers of the versions. Unknown versions are ignored.' }),
  ),
});

const rollbackBody = Type.Object({
  version: Type.Integer({ minimum: 1, description: 'The version whose values the new one gets.' }),
  options: Type.Optional(
    Type.Unknown({ description: '`cas`: the version that must be current, as in a write.' }),
  ),
});

type Change = (
  transaction: Database,
  secret: SecretKey,
  change: VersionChange,
) => Promise<ChangedVersions | undefined>;

/** Deleting, undeleting and destroying named versions of a secret, and going back to one. */
export const kvVersionEndpoints: Endpoint[] = [
  row(
    'delete',
    'Delete versions of a secret; they can be undeleted',
    'No version number provided',
    deleteVersions,
  ),
  row('undelete', 'Undelete versions of a secret', 'No version number provided', undeleteVersions),
  row('destroy', 'Delete the values of versions for good', 'no version number provided', destroyVersions),
  endpoint({
    method: 'POST',
    path: '/~kv2/rollback/*path',
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Write the values of an earlier version as a new version; values are not shown',
    answers: { 200: { data: versionMetadataAnswer } },
    body: rollbackBody,
    exists: isThere,
    handle: rollBack,
  }),
];

async function rollBack(request: ApiRequest<{ version: number; options?: unknown }>) {
  const { services, caller, body, note } = request;
  const secret = secretOf(request);
  const [from, cas, author] = [versionOf(body), casOf(body), caller.token.display_name];
  note({ from });
  const added = await changeSecret(services.db, secret, author, async (transaction) => {
    const isKnown = await lockSecret(transaction, secret);
    const stored = isKnown && (await findVersion(transaction, secret, from));
    if (!stored) throw notFound(`there is no version ${from}`);
    const json = openVersion(services.keyring, stored);
    if (json === null)
      throw badRequest(
        stored.destroyed
          ? `version ${from} is destroyed: its values are gone`
          : `version ${from} is deleted: undelete it first`,
      );
    return addVersion(transaction, services.keyring, secret, { json, cas, createdBy: author });
  });
  note({ version: added.version });
  const { version, oldest_version } = added;
  const versions = { current_version: version, oldest_version };
  tellChange(request, { operation: 'data-write', path: secret.path, versions });
  return ok(presentVersionMetadata(added));
}

function row(
  name: 'delete' | 'undelete' | 'destroy',
  summary: string,
  refusal: string,
  change: Change,
): Endpoint {
  return endpoint({
    method: 'POST',
    path: `/~kv2/${name}/*path`,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary,
    answers: { 204: {} },
    body: versionsBody,
    exists: isThere,
    handle: async (request) => {
      const { services, caller, body, note } = request;
      const secret = secretOf(request);
      const versions = versionsOf(body, refusal);
      // All of them, so that none is destroyed unseen.
      note({ versions });
      const done = await changeSecret(
        services.db,
        secret,
        caller.token.display_name,
        (transaction) => change(transaction, secret, { actor: caller.token.display_name, versions }),
        (changed) => versionsChange(name, changed),
      );
      if (done)
        tellChange(request, { operation: name, path: secret.path, versions: done.secret, named: versions });
      return noContent();
    },
  });
}
