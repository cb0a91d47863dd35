import { connector } from '../../../services/connectors/google-secret-manager/connector.ts';
import { destination } from '../../../services/connectors/google-secret-manager/destination.ts';
import { startCloud3SmFake, type Cloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { describeConformance } from '../conformance.ts';

// A key is good for the fake that handed it out.
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
});
