import { Type } from 'typebox';
import type { Database } from '../../../../libs/db/connect.ts';
import { changeSecret, type SecretKey } from '../../../../libs/store/secrets/secrets.ts';
import {
  deleteVersions,
  destroyVersions,
  undeleteVersions,
  type VersionChange,
} from '../../../../libs/store/secrets/lifecycle.ts';
import { endpoint, isThere, noContent, type Endpoint } from '../../routing/endpoint.ts';
import { secretOf, versionsOf } from './request.ts';

const versionsBody = Type.Object({
  versions: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Numbers of the versions. Unknown versions are ignored.' }),
  ),
});

type Change = (transaction: Database, secret: SecretKey, change: VersionChange) => Promise<unknown>;

/** Deleting, undeleting and destroying named versions of a secret. */
export const kvVersionEndpoints: Endpoint[] = [
  row(
    'delete',
    'Delete versions of a secret; they can be undeleted',
    'No version number provided',
    deleteVersions,
  ),
  row('undelete', 'Undelete versions of a secret', 'No version number provided', undeleteVersions),
  row('destroy', 'Delete the values of versions for good', 'no version number provided', destroyVersions),
];

function row(name: string, summary: string, refusal: string, change: Change): Endpoint {
  return endpoint({
    method: 'POST',
    path: `/~kv2/${name}/*path`,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary,
    answers: { 204: {} },
    body: versionsBody,
    exists: isThere,
    handle: async ({ services, caller, body, mount, note }) => {
      const secret = secretOf({ mount });
      const versions = versionsOf(body, refusal);
      // All of them, so that none is destroyed unseen.
      note({ versions });
      await changeSecret(services.db, secret, caller.token.display_name, (transaction) =>
        change(transaction, secret, { actor: caller.token.display_name, versions }),
      );
      return noContent();
    },
  });
}
