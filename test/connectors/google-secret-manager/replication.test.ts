import { expect } from 'chai';
import {
  destination,
  type Cloud3SmSettings,
} from '../../../services/connectors/google-secret-manager/destination.ts';
import { type Cloud3SmFake, startCloud3SmFake } from '../../sandbox/google-secret-manager/fake.ts';
import { calm, entry, openSession } from './support.ts';
import { faultsOfSettings } from '../../support/faults-of-settings.ts';

type Places = Partial<Cloud3SmSettings>;

const keyOf = (location: string): string => `projects/p/locations/${location}/keyRings/r/cryptoKeys/k`;
const encrypted = (location: string) => ({
  customerManagedEncryption: { kmsKeyName: keyOf(location) },
});

describe('cloud3-sm: places and customer keys', () => {
  let fake: Cloud3SmFake;

  before(async () => {
    fake = await startCloud3SmFake();
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  const taken: [title: string, settings: Places, replication: object][] = [
    ['no place and no key', {}, { automatic: {} }],
    ['an empty key and no region', { kms_key_id: '', replica_regions: {} }, { automatic: {} }],
    ['one customer key', { kms_key_id: keyOf('global') }, { automatic: encrypted('global') }],
    [
      'one customer key by its older name',
      { global_kms_key: keyOf('global') },
      { automatic: encrypted('global') },
    ],
    [
      'locations without keys',
      { replica_regions: { 'europe-west1': '', 'us-central1': '' } },
      { userManaged: { replicas: [{ location: 'europe-west1' }, { location: 'us-central1' }] } },
    ],
    [
      'locations with a key each',
      { replica_regions: { 'europe-west1': keyOf('europe-west1') } },
      { userManaged: { replicas: [{ location: 'europe-west1', ...encrypted('europe-west1') }] } },
    ],
    [
      'locations and keys in the older form',
      {
        replication_locations: ['us-central1', 'us-east1'],
        locational_kms_keys: { 'us-central1': keyOf('us-central1'), 'us-east1': keyOf('us-east1') },
      },
      {
        userManaged: {
          replicas: [
            { location: 'us-central1', ...encrypted('us-central1') },
            { location: 'us-east1', ...encrypted('us-east1') },
          ],
        },
      },
    ],
  ];
  for (const [title, settings, replication] of taken)
    it(`a secret is created with ${title}`, async () => {
      expect(faultsOf(settings)).to.deep.equal([]);
      const session = await openSession(fake, settings);
      await session.put(entry(), calm());
      expect(fake.entries()[0]).to.deep.include({ replication });
      await session.close?.();
    });

  const refused: [title: string, settings: Places, words: string][] = [
    [
      'a key for some locations only',
      { replica_regions: { 'europe-west1': keyOf('europe-west1'), 'us-central1': '' } },
      'for every location, or for none',
    ],
    [
      'a key for some locations only, in the older form',
      {
        replication_locations: ['us-central1', 'us-east1'],
        locational_kms_keys: { 'us-east1': keyOf('us-east1') },
      },
      'for every location, or for none',
    ],
    [
      'a key of another location',
      { replica_regions: { 'us-east1': keyOf('us-east4') } },
      'must be in the location us-east1',
    ],
    ['one key of a single location', { kms_key_id: keyOf('us-east1') }, 'must be in the location global'],
    ['a key that is no name of one', { kms_key_id: 'alias/x' }, 'projects/{project}'],
    ['a location that is none', { replica_regions: { '../x': '' } }, 'is not a location'],
    [
      'one key beside locations',
      { kms_key_id: keyOf('global'), replica_regions: { 'us-east1': '' } },
      'kms_key_id',
    ],
    [
      'both names of the one key',
      { kms_key_id: keyOf('global'), global_kms_key: keyOf('global') },
      'mean the same',
    ],
    [
      'both forms of locations',
      { replica_regions: { 'us-east1': '' }, replication_locations: ['us-east1'] },
      'give only replica_regions',
    ],
    [
      'a key of a place that is not given',
      { locational_kms_keys: { 'us-east1': keyOf('us-east1') } },
      'must be in replication_locations',
    ],
  ];
  for (const [title, settings, words] of refused)
    it(`a destination with ${title} is refused with the reason`, () => {
      expect(faultsOf(settings).join('; ')).to.contain(words);
    });

  function faultsOf(settings: Places): string[] {
    const operator = { environment: () => undefined, egressAllow: [] };
    return faultsOfSettings(destination, { credentials: fake.createKey(), ...settings }, operator);
  }
});
