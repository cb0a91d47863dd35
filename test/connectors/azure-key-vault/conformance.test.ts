import { connector } from '../../../services/connectors/azure-key-vault/connector.ts';
import { destination } from '../../../services/connectors/azure-key-vault/destination.ts';
import { startCloud2KvFake } from '../../sandbox/azure-key-vault/fake.ts';
import { describeConformance } from '../conformance.ts';
import { TENANT } from './support.ts';

describeConformance({
  destination,
  connector,
  startFake: () => startCloud2KvFake(),
  environment: ({ details }) => ({
    SEALIFT_AZURE_AUTHORITY_HOST: details?.['authority'] ?? '',
    NODE_EXTRA_CA_CERTS: details?.['ca'] ?? '',
  }),
  settings: (fake) => ({
    key_vault_uri: fake.url,
    client_id: 'application',
    client_secret: 'a-client-secret',
    tenant_id: TENANT,
  }),
  newCredentials: { client_secret: 'another-client-secret' },
  foreign: (name, value) => ({ name, value }),
  writes: ['SetSecret'],
  removes: ['DeleteSecret'],
  looks: ['GetSecret'],
});
