import { Type } from 'typebox';
import { forgetPublicKeys } from './signing-keys.ts';
import type { SettingsAction } from '../../presenters/schemas.ts';
import { endpoint, noContent, type Endpoint } from '../../routing/endpoint.ts';

export const OIDC_TYPE = 'oidc-settings';

const PATH = `/api/v2/admin/${OIDC_TYPE}/actions`;

export const oidcActions: SettingsAction[] = [
  {
    path: `${PATH}/rotate-key`,
    title: 'Rotate the signing key',
    description:
      'Makes a new key and signs workload tokens with it. Tokens signed with older keys stay valid.',
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
  action('rotate-key', 'Add a new signing key and sign with it'),
  action('trim-key', 'Remove every signing key except the newest'),
];

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
