import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import {
  findMountByAccessor,
  type AssociationRecord,
  type PageStart,
} from '../../../../libs/store/associations/records.ts';
import { findMount, lookUpMount, type Mount } from '../../../../libs/store/secrets/mounts.ts';
import { auditNamesOf } from '../../audit/secret-names.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { RecordAnswer, RecordsAnswer } from '../../contract/associations.ts';
import { streamedObject, type Pages } from '../../routing/streamed.ts';
import {
  createAssociationPresenter,
  presentAssociations,
  PRINT_LENGTH,
} from '../../presenters/association.ts';

/** The secret that a call is about; `mount` has no slash at its ends. */
export type NamedSecret = { mount: string; path: string };

/** The body of calls about one association. */
export const secretBody = Type.Object({
  mount: Type.String({ description: 'KV version 2 mount that holds the secret.' }),
  secret_name: Type.Optional(Type.String({ description: 'Path of the secret in the mount.' })),
  name: Type.Optional(Type.String({ description: 'Alias of secret_name.' })),
});

/** What a person decides about an entry of somebody else, for one secret alone. */
export const decisionSchema = Type.Optional(
  Type.Enum(['overwrite', 'adopt'], {
    description:
      'For these associations and this time alone, instead of the conflict policy of the destination: replace an entry of that name that isn’t managed by Sealift (`overwrite`), or take it over and write only if its value differs (`adopt`).',
  }),
);

/** Keeps a change of a link from linking what someone has unlinked meanwhile. */
export const onlyLinkedSchema = Type.Optional(
  Type.Boolean({
    description:
      'Whether to refuse a secret that is not linked, or that is being unlinked. Default false: it is linked.',
  }),
);

/** Keeps a sync that a person has agreed to from overwriting what somebody has changed in the store since. */
export const onlySeenSchema = Type.Optional(
  Type.Boolean({
    description:
      'Whether to leave an entry that someone has changed in the store since a plan, a check or an attempt last saw it: its link is `DRIFTED` then. A new version of the secret is written in any case, and so is an entry that the credentials may not read. Default false: the change is overwritten.',
  }),
);

/** What the entries had that a person decided about. */
export const expectedSchema = Type.Optional(
  Type.Record(
    Type.String(),
    Type.String({
      pattern: `^[0-9a-f]{${PRINT_LENGTH}}$`,
      errorMessage: `must be a fingerprint as a plan shows it, such as 4f2a90c1d3e7`,
    }),
    {
      maxProperties: 1000,
      description:
        'With `conflict_policy`: the `fingerprints.found` of a plan, by `external_name`. An entry that has another value by then is left as it is: the link fails with `conflict`, and nothing stands decided.',
    },
  ),
);

/** The keys whose entries a person decides about. */
export const decidedKeysSchema = Type.Optional(
  Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 1000,
    description:
      'With `conflict_policy`, where each key of the secret has an entry of its own: the keys whose entries are decided about. What has the names of others, or was changed in them, stays as it is. Absent: all keys.',
  }),
);

/** A template that one association gets for the names of its entries. */
export const ownTemplateSchema = Type.Optional(
  Type.String({
    description:
      'For this secret alone and from now on, instead of the template of the destination: the template of its names in the store, or simply a name. Empty: the template of the destination applies again. Absent: nothing changes.',
  }),
);

/** Throws 400 for keys without the decision that they limit. */
export function refuseKeysAlone(keys: string[] | undefined, decision: string | undefined): void {
  if (keys && !decision)
    throw badRequest('keys needs conflict_policy: they are those whose entries are decided about');
}

/** The same as a query. */
export const secretQuery = {
  mount: Type.String({ description: 'Mount that holds the secret.' }),
  secret_name: Type.String({ description: 'Path of the secret in the mount.' }),
};

/** Throws 400 for names that no secret can have. */
export function namedSecret(given: { mount: string; secret_name?: string; name?: string }): NamedSecret {
  const name = given.secret_name || given.name;
  if (!name) throw badRequest('secret_name is required');
  if (name.endsWith('/')) throw badRequest('Secret not found. Please provide full path to existing secret');
  const [mount, path] = [given.mount, name].map((text) => text.split('/').filter(Boolean).join('/'));
  if (!mount) throw badRequest('mount is required');
  // oxlint-disable-next-line no-control-regex
  if (!path || /[\u0000-\u001f\u007f]/.test(mount + path)) {
    throw badRequest('mount and secret_name must not contain control characters');
  }
  return { mount, path };
}

/** Names the secret in the audit entry, also if the request is refused. */
export async function noteNamed(request: ApiRequest, secret: NamedSecret): Promise<void> {
  const mount = await findMount(request.services.db, request.namespace.id, secret.mount);
  const names = auditNamesOf(mount, secret);
  request.noteSecret(names);
  request.note({ secret: names.secret });
}

/** The mount of a secret. Throws 400 if there is none or if its secrets cannot be synced. */
export async function requireMount({ services, namespace }: ApiRequest, secret: NamedSecret): Promise<Mount> {
  const mount = await lookUpMount(services.db, namespace.id, secret.mount);
  if (mount?.path !== secret.mount) throw badRequest(`there is no mount ${secret.mount}/`);
  if (mount.version === 2) return mount;
  throw badRequest(
    `the mount ${secret.mount}/ is KV version ${mount.version}: only KV version 2 can be synced`,
  );
}

/** The destination as the caller named it, in an answer. */
export function storeOf({ params }: Pick<ApiRequest, 'params'>): { store_name: string; store_type: string } {
  return { store_name: params['name'] ?? '', store_type: params['type'] ?? '' };
}

/** The answer of the calls that show associations of a destination. */
export function presentList(request: ApiRequest, records: AssociationRecord[]): RecordsAnswer {
  return { ...storeOf(request), associated_secrets: presentAssociations(records) };
}

/** The same for all associations, read while they are sent. */
export function presentAll(request: ApiRequest, pages: Pages<AssociationRecord>): RecordsAnswer {
  async function* presented(): AsyncGenerator<[string, RecordAnswer][], void> {
    const present = createAssociationPresenter();
    for await (const page of pages()) yield present(page);
  }
  return { ...storeOf(request), associated_secrets: streamedObject(presented) };
}

/** Where a page begins: after the association that `after` names. Throws 400 if it names none. */
export async function pageStart({ services, namespace }: ApiRequest, after: string): Promise<PageStart> {
  const [accessor = '', ...path] = after.split('/');
  const mountId = await findMountByAccessor(services.db, namespace.id, accessor);
  if (mountId === undefined || path.length === 0) {
    throw badRequest('after must be the next_after of an earlier page');
  }
  return { mountId, secretPath: path.join('/') };
}
