import { catalog } from '../../../services/connectors/catalog.ts';
import { describeConformance } from '../conformance.ts';
import { connector } from './connector.ts';
import { destination } from './destination.ts';
import { startLockboxFake } from './fake.ts';

describe('a sixth type made of its folder and one line of the catalog', () => {
  // Stands for the line in the catalog while these tests run.
  before(() => void catalog.push(destination));
  after(() => void catalog.splice(catalog.indexOf(destination), 1));

  describeConformance({
    destination,
    connector,
    startFake: () => startLockboxFake(),
    environment: () => ({}),
    settings: (fake) => ({ address: fake.url, box: 'team', access_key: 'key-first' }),
    newCredentials: { access_key: 'key-second' },
    foreign: (name, value) => ({ name, value }),
    writes: ['createItem', 'replaceItem'],
    removes: ['deleteItem'],
    looks: ['readItem'],
  });
});
