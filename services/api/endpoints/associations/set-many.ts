import { Type, type Static } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { probeNow } from '../../../../libs/store/orders/probes.ts';
import { listSecretsBelow } from '../../../../libs/store/secrets/list.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { filterInSlices } from '../../../../libs/time/slices.ts';
import { requireDestination } from '../named-destination.ts';
import { openPlace, sealPlace } from '../sealed-place.ts';
import { isSeen } from '../search/is-seen.ts';
import {
  afterSchema,
  forEachSecret,
  MOST_SECRETS,
  answerBulk,
  secretsSchema,
  type BulkSecret,
} from './bulk.ts';
import { decisionSchema, namedSecret, onlyLinkedSchema, onlySeenSchema, requireMount } from './common.ts';
import { NO_OTHER_FIELDS } from './filter.ts';
import { link } from './link.ts';
import { requireReadable } from './source.ts';
import { bulkAnswer } from '../../contract/plans.ts';

const body = Type.Object(
  {
    secrets: Type.Optional(secretsSchema),
    mount: Type.Optional(
      Type.String({
        description: 'Link all secrets of this mount, page by page; use it instead of `secrets`.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({ description: 'Together with `mount`: only secrets whose path starts with this text.' }),
    ),
    after: Type.Optional(afterSchema),
    conflict_policy: decisionSchema,
    only_linked: onlyLinkedSchema,
    only_seen: onlySeenSchema,
  },
  NO_OTHER_FIELDS,
);

/** Linking many secrets at once. */
export const associationSetManyEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/sync/destinations/:type/:name/associations/set-many',
    access: 'policy',
    summary: `Link up to ${MOST_SECRETS} secrets to a destination, by name or by prefix; the answer has one result for each`,
    answers: { 200: { data: bulkAnswer } },
    body,
    handle: async (request) => {
      const { services } = request;
      const { conflict_policy: decision, only_linked: onlyLinked, only_seen: onlySeen } = request.body;
      if (decision) request.note({ conflict_policy: decision });
      if (onlyLinked) request.note({ only_linked: true });
      const { row, ...named } = await requireDestination(request);
      const { secrets, next } = await wantedSecrets(request);
      let first: number | undefined;
      const outcomes = await forEachSecret(secrets, async (given) => {
        const secret = namedSecret(given);
        requireReadable(request, secret);
        const mount = await requireMount(request, secret);
        const { linked } = await link(request, {
          named,
          secret,
          mount,
          decision,
          keepsDecision: true,
          onlyLinked,
          onlySeen,
        });
        first ??= linked.id;
        return { outcome: linked.created ? 'linked' : 'refreshed' };
      });
      if (first !== undefined && row.failures > 0) await probeNow(services.db, row.id, first);
      return answerBulk(request, outcomes, { next, decision, onlyLinked });
    },
  }),
];

async function wantedSecrets(
  request: ApiRequest<Static<typeof body>>,
): Promise<{ secrets: BulkSecret[]; next: string | null }> {
  const { secrets, mount: path, prefix = '', after = '' } = request.body;
  if (secrets) return { secrets, next: null };
  if (path === undefined) throw badRequest('secrets or mount is required');
  const mount = await requireMount(request, namedSecret({ mount: path, name: 'any' }));
  const start = after === '' ? after : (openPlace(request, 'set-many', after) as string);
  const found = await listSecretsBelow(request.services.db, mount.id, {
    prefix,
    after: start,
    limit: MOST_SECRETS,
  });
  const seen = await filterInSlices(found, (name) => isSeen(request, { mount: mount.path, path: name }));
  if (seen.length < found.length)
    request.warn('secrets that this token may neither read nor list are left out');
  const last = found.length === MOST_SECRETS ? found.at(-1) : undefined;
  return {
    secrets: seen.map((name) => ({ mount: mount.path, secret_name: name })),
    next: last === undefined ? null : sealPlace(request, 'set-many', last),
  };
}
