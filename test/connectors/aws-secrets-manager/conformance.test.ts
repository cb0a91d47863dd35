import { connector } from '../../../services/connectors/aws-secrets-manager/connector.ts';
import { destination } from '../../../services/connectors/aws-secrets-manager/destination.ts';
import { startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
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
