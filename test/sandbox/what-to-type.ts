import type { Fake } from './contract.ts';
import { TENANT } from './given-out.ts';
import type { Cloud3SmFake } from './google-secret-manager/fake.ts';

/** The settings with which a destination of each type reaches its stand-in. */
export function settingsFor(type: string, fake: Fake): Record<string, unknown> {
  const settings = whatToType[type];
  if (!settings)
    throw new Error(`nobody knows what the stand-in for ${type} accepts: add it to what-to-type.ts`);
  return settings(fake);
}

const whatToType: Record<string, (fake: Fake) => Record<string, unknown>> = {
  'cloud1-sm': () => ({
    access_key_id: 'AKIADEMO0000000000',
    secret_access_key: 'demo-secret-access-key',
    region: 'eu-west-1',
  }),
  'cloud2-kv': ({ url }) => ({
    key_vault_uri: url,
    client_id: 'application',
    client_secret: 'a-client-secret',
    tenant_id: TENANT,
  }),
  // Each stand-in issues keys of its own.
  'cloud3-sm': (fake) => ({ credentials: (fake as Cloud3SmFake).createKey() }),
  'hosting-project': () => ({
    access_token: 'vcp_valid',
    project_id: 'prj_of_mine',
    deployment_environments: ['production'],
  }),
  'repo-host': () => ({ access_token: 'ghp_valid', repository_owner: 'acme', repository_name: 'web' }),
};
