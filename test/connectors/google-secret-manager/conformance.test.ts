import { connector } from '../../../services/connectors/google-secret-manager/connector.ts';
import { destination } from '../../../services/connectors/google-secret-manager/destination.ts';
import { startCloud3SmFake, type Cloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { describeConformance } from '../conformance.ts';

const keyOf = (location: string): string => `projects/p/locations/${location}/keyRings/r/cryptoKeys/k`;
const encryptedBy = (location: string) => ({ customerManagedEncryption: { kmsKeyName: keyOf(location) } });

// A key is valid only for the fake that issued it.
let running: Cloud3SmFake | undefined;

describeConformance({
  destination,
  connector,
  startFake: async () => (running = await startCloud3SmFake()),
  environment: (fake) => ({ CLOUD3_SM_API_URL: fake.url }),
  settings: () => ({ credentials: running?.createKey() }),
  get newCredentials() {
    return { credentials: running?.createKey() };
  },
  foreign: (name, value) => ({ name, value }),
  writes: ['CreateSecret', 'AddSecretVersion'],
  removes: ['DeleteSecret'],
  looks: ['GetSecret'],
  places: {
    isFixed: true,
    rows: [
      [{ kms_key_id: keyOf('global') }, { replication: { automatic: encryptedBy('global') } }],
      [
        { replica_regions: { 'us-east1': keyOf('us-east1') } },
        {
          replication: { userManaged: { replicas: [{ location: 'us-east1', ...encryptedBy('us-east1') }] } },
        },
      ],
      [
        { replica_regions: { 'us-east1': '', 'us-east4': '' } },
        { replication: { userManaged: { replicas: [{ location: 'us-east1' }, { location: 'us-east4' }] } } },
      ],
    ],
  },
});
