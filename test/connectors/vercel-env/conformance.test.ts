import { connector } from '../../../services/connectors/vercel-env/connector.ts';
import { destination } from '../../../services/connectors/vercel-env/destination.ts';
import { startHostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { describeConformance } from '../conformance.ts';

// A new destination writes sensitive variables. Those that existed before have others.
for (const variables of [{}, { sensitive: false }]) {
  describe(`hosting-project with ${'sensitive' in variables ? 'readable' : 'sensitive'} variables`, () => {
    describeConformance({
      destination,
      connector,
      startFake: () => startHostingProjectFake(),
      environment: (fake) => ({ HOSTING_PROJECT_API_URL: fake.url }),
      settings: () => ({
        access_token: 'vcp_valid',
        project_id: 'prj_web',
        deployment_environments: ['production', 'preview'],
        ...variables,
      }),
      newCredentials: { access_token: 'vcp_renewed' },
      foreign: (name, value) => ({ name, value, project: 'prj_web', target: ['production', 'preview'] }),
      writes: ['createEnv', 'upsertEnv', 'editEnv'],
      removes: ['removeEnv'],
      looks: ['listEnv'],
    });
  });
}
