import { connector } from '../../../services/connectors/cloud1-sm/connector.ts';
import { destination } from '../../../services/connectors/cloud1-sm/destination.ts';
import { startCloud1SmFake } from '../../sandbox/cloud1-sm/fake.ts';
import { describeConformance } from '../conformance.ts';

describeConformance({
  destination,
  connector,
  startFake: () => startCloud1SmFake(),
  environment: (fake) => ({ AWS_ENDPOINT_URL_SECRETS_MANAGER: fake.url }),
  settings: () => ({
    access_key_id: 'AKIAEXAMPLEONE',
    secret_access_key: 'a-secret-key',
    region: 'eu-west-1',
  }),
  newCredentials: { access_key_id: 'AKIAEXAMPLETWO', secret_access_key: 'another-secret-key' },
  foreign: (name, value) => ({ name, value, region: 'eu-west-1' }),
  writes: ['CreateSecret', 'PutSecretValue'],
  removes: ['DeleteSecret'],
  looks: [],
});
