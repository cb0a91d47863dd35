import { Type } from 'typebox';
import type { Destination } from '../../../../libs/connector/contract.ts';
import { defaultTemplate, externalName } from '../../../../libs/connector/names.ts';
import { checkTemplate } from '../../../../libs/connector/template.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { findNamedAssociation } from '../../../../libs/store/associations/associations.ts';
import { lookUpDestination } from '../../../../libs/store/destinations/destinations.ts';
import { listSomeSecrets } from '../../../../libs/store/secrets/list.ts';
import { requireAbsent } from '../../../../libs/validation/preconditions.ts';
import { previewAnswer, type PreviewAnswer } from '../../contract/plans.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { namedSecret, requireMount, type NamedSecret } from '../associations/common.ts';
import { nameOf, requireNamed } from '../named-destination.ts';

const MOST_SECRETS = 50;
const SAMPLES = 5;
// The rights on each secret are checked separately, so the number of secrets is limited.
const MOST_LOOKED_AT = 100;
const SAMPLE_KEY = 'password';

const body = Type.Object({
  granularity: Type.Optional(Type.Enum(['secret-path', 'secret-key'])),
  secret_name_template: Type.Optional(
    Type.String({
      description:
        'Template for the names. Absent or empty: the template of the destination, or the default.',
    }),
  ),
  secrets: Type.Optional(
    Type.Array(
      Type.Object({
        mount: Type.String(),
        secret_name: Type.String(),
        key: Type.Optional(Type.String({ description: `Key of the secret. Default: ${SAMPLE_KEY}.` })),
      }),
      {
        maxItems: MOST_SECRETS,
        description: `Secrets to name; they need not exist. Default: up to ${SAMPLES} secrets that the caller may read.`,
      },
    ),
  ),
});

/** The names that secrets would have at a destination, which need not be stored. Reads no value and asks no store. */
export const previewEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/sync/destinations/:type/:name/preview',
    access: 'policy',
    summary: 'Show the external names that a template gives to secrets',
    answers: { 200: { data: previewAnswer } },
    takesIfNoneMatch: true,
    body,
    handle: async (request) => {
      const { services, body: given } = request;
      const named = requireNamed(request);
      const { type, key } = named;
      const stored = await lookUpDestination(services.db, key);
      requireAbsent(request.header('if-none-match'), stored, nameOf(named));
      const granularity = given.granularity ?? stored?.granularity ?? type.defaultGranularity;
      const kept = stored?.granularity === granularity ? stored.secret_name_template : undefined;
      const template =
        given.secret_name_template || kept || defaultTemplate(granularity, services.config.NAME_PREFIX);
      const fault = checkTemplate(template, granularity);
      if (fault !== null) throw badRequest(`secret_name_template: ${fault}`);
      const draft = { type, id: stored?.id, destination: { name: key.name, template } };
      const wanted =
        given.secrets?.map((one) => ({ ...namedSecret(one), key: one.key })) ?? (await samples(request));
      const names: PreviewAnswer['names'] = [];
      for (const secret of wanted) {
        const subKey = granularity === 'secret-key' ? secret.key || SAMPLE_KEY : '';
        names.push(await preview(request, draft, { ...secret, subKey }));
      }
      return ok({ names } satisfies PreviewAnswer);
    },
  }),
];

type Sample = NamedSecret & { key?: string | undefined };

async function samples({ services, namespace, may }: ApiRequest): Promise<Sample[]> {
  const found = await listSomeSecrets(services.db, namespace.id, MOST_LOOKED_AT);
  return found.filter(({ mount, path }) => may(`${mount}/data/${path}`, 'read')).slice(0, SAMPLES);
}

type Draft = {
  type: Destination;
  /** Undefined: it is not stored. */
  id: number | undefined;
  destination: { name: string; template: string };
};

async function preview(
  request: ApiRequest,
  { type, id, destination }: Draft,
  secret: NamedSecret & { subKey: string },
): Promise<PreviewAnswer['names'][number]> {
  const { path, subKey } = secret;
  const mount = await requireMount(request, secret);
  const linked =
    id === undefined
      ? undefined
      : await findNamedAssociation(request.services.db, {
          destinationId: id,
          mountId: mount.id,
          secretPath: path,
        });
  const own = linked?.template ?? null;
  const named = externalName({
    type,
    destination: { ...destination, template: own ?? destination.template },
    namespace: request.namespace,
    mount,
    secretPath: path,
    subKey,
  });
  const isFaulty = 'fault' in named;
  return {
    mount: mount.path,
    secret_name: path,
    sub_key: subKey,
    external_name: isFaulty ? '' : named.name,
    secret_name_template: own,
    fault: isFaulty ? named.fault : null,
  };
}
