import { Type } from 'typebox';
import { LONGEST_SIGNED_SECONDS } from '../../../../libs/connector/identity/identity.ts';
import { listVerifyingKeys, type VerifyingKey } from '../../../../libs/store/oidc/key-ages.ts';
import { readKeySchedule } from '../../../../libs/store/oidc/keys.ts';
import { signingKeysAnswer, type SigningKeysAnswer } from '../../contract/administration.ts';
import { forgetPublicKeys } from './signing-keys.ts';
import type { SettingsAction } from '../../presenters/schemas.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';

export const OIDC_TYPE = 'oidc-settings';

const PATH = `/api/v2/admin/${OIDC_TYPE}/actions`;

export const oidcActions: SettingsAction[] = [
  {
    path: `${PATH}/rotate-key`,
    title: 'Rotate the signing key',
    description:
      'Makes a new key and signs identity tokens and workload tokens with it. Tokens signed with older keys stay valid.',
    irrevocable: false,
  },
  {
    path: `${PATH}/trim-key`,
    title: 'Trim the signing keys',
    description:
      'Removes every key except the newest. Tokens that an older key signed are no longer accepted.',
    irrevocable: true,
  },
];

// The actions take no document. If a client sends one anyway, it must be valid.
const body = Type.Object({ data: Type.Optional(Type.Unsafe({ type: ['object', 'null'] })) });

/** What site administrators can do with the keys that sign workload tokens. The key-maintenance worker carries it out. */
export const oidcSettingsEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `/api/v2/admin/${OIDC_TYPE}/signing-keys`,
    access: 'policy',
    summary: 'List the signing keys, and until when their tokens can be valid',
    answers: { 200: { data: signingKeysAnswer } },
    handle: async ({ services: { db } }) => {
      const [keys, { rotateAt, trimAt }] = await Promise.all([listVerifyingKeys(db), readKeySchedule(db)]);
      return ok({
        data: keys.map(present),
        meta: { 'rotates-at': rotateAt, 'trims-at': trimAt },
      });
    },
  }),
  action('rotate-key', 'Add a new signing key and sign with it'),
  action('trim-key', 'Remove every signing key except the newest'),
];

function present({ kid, created_at, replaced_at }: VerifyingKey): SigningKeysAnswer['data'][number] {
  const end = replaced_at && new Date(replaced_at.getTime() + LONGEST_SIGNED_SECONDS * 1000);
  return {
    id: kid,
    type: 'signing-keys',
    attributes: { 'created-at': created_at, 'replaced-at': replaced_at, 'last-token-ends-at': end },
  };
}

function action(name: 'rotate-key' | 'trim-key', summary: string): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${PATH}/${name}`,
    access: 'policy',
    summary,
    answers: { 204: {} },
    body,
    handle: async ({ services, requestId, note }) => {
      // The kid that was added, or how many keys were removed.
      const done = await services.commands.call('key-maintenance', name, { requestId });
      note({ changed: done });
      forgetPublicKeys(services);
      return noContent();
    },
  });
}
