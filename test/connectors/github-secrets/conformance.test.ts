import { connector } from '../../../services/connectors/github-secrets/connector.ts';
import { destination } from '../../../services/connectors/github-secrets/destination.ts';
import { startRepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { describeConformance } from '../conformance.ts';

describeConformance({
  destination,
  connector,
  startFake: () => startRepoHostFake(),
  environment: (fake) => ({ REPO_HOST_API_URL: fake.url }),
  settings: () => ({ access_token: 'ghp_valid', repository_owner: 'acme', repository_name: 'web' }),
  newCredentials: { access_token: 'ghp_renewed' },
  foreign: (name, value) => ({
    name,
    value,
    repository: 'acme/web',
    createdAt: '2020-01-01T00:00:00Z',
  }),
  writes: ['putSecret'],
  removes: ['deleteSecret'],
  looks: ['getSecret', 'getSecret'],
});
