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
  places: {
    isFixed: false,
    rows: [
      [{ kms_key_id: 'alias/sealift' }, { kmsKeyId: 'alias/sealift', replicas: {} }],
      [
        { replica_regions: { 'us-east-2': 'alias/there', 'eu-west-3': '' } },
        {
          kmsKeyId: null,
          replicas: { 'us-east-2': 'alias/there', 'eu-west-3': 'alias/aws/secretsmanager' },
        },
      ],
      [
        { kms_key_id: 'alias/sealift', replica_regions: { 'us-east-2': 'alias/other' } },
        { kmsKeyId: 'alias/sealift', replicas: { 'us-east-2': 'alias/other' } },
      ],
    ],
  },
});
