import type { protos } from '@google-cloud/secret-manager';

type Replication = protos.google.cloud.secretmanager.v1.IReplication;

/** The name of a key of Google's key service. Its first group is the location. */
const KEY = /^projects\/[\w.:-]+\/locations\/([\w-]+)\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+$/;
const LOCATION = /^[a-z]+(-[a-z0-9]+)+$/;

/** The settings about places and keys, in the present and in the older form. */
type Given = {
  kms_key_id?: string;
  replica_regions?: Record<string, string>;
  replication_locations?: string[];
  locational_kms_keys?: Record<string, string>;
  global_kms_key?: string;
};

/** Where secrets are and which keys encrypt them, also from settings in the older form. An empty key means Google's own. */
type Placement = { kms_key_id: string; replica_regions: Record<string, string> };

export function placementOf(settings: Given): Placement {
  const { replication_locations: locations = [], locational_kms_keys: keys = {} } = settings;
  const older = Object.fromEntries(locations.map((location) => [location, keys[location] ?? '']));
  return {
    kms_key_id: settings.kms_key_id ?? settings.global_kms_key ?? '',
    replica_regions: { ...older, ...settings.replica_regions },
  };
}

/** The replication that a secret is created with; Google does not change it later. */
export function replicationOf(settings: Given): Replication {
  const { kms_key_id: key, replica_regions: regions } = placementOf(settings);
  const replicas = Object.entries(regions).map(([location, own]) => ({ location, ...encryptedBy(own) }));
  return replicas.length === 0 ? { automatic: encryptedBy(key) } : { userManaged: { replicas } };
}

function encryptedBy(key: string): { customerManagedEncryption?: { kmsKeyName: string } } {
  return key === '' ? {} : { customerManagedEncryption: { kmsKeyName: key } };
}

/** One sentence for each rule of Google about places and keys that the settings break. */
export function checkPlacement(settings: Given): string[] {
  const { kms_key_id: key, replica_regions: regions } = placementOf(settings);
  const keys = Object.values(regions).filter((own) => own !== '');
  const faults = Object.entries(regions).flatMap(([location, own]) => [
    ...(LOCATION.test(location) && location.length <= 63
      ? []
      : [`replica_regions: ${JSON.stringify(location)} is not a location, such as europe-west1`]),
    ...keyFaults(own, location),
  ]);
  if (keys.length > 0 && keys.length < Object.keys(regions).length)
    faults.push('replica_regions: give a key for every location, or for none');
  if (key !== '' && Object.keys(regions).length > 0)
    faults.push(
      'kms_key_id is for secrets whose locations Google chooses: with replica_regions, give each location its own key',
    );
  return [...faults, ...keyFaults(key, 'global'), ...mixFaults(settings)];
}

function keyFaults(key: string, location: string): string[] {
  if (key === '') return [];
  const found = KEY.exec(key);
  if (!found)
    return ['write a key as projects/{project}/locations/{location}/keyRings/{ring}/cryptoKeys/{key}'];
  return found[1] === location
    ? []
    : [`the customer key must be in the location ${location}, but ${key} is in ${found[1]}`];
}

function mixFaults(settings: Given): string[] {
  const { replication_locations: locations, locational_kms_keys: keys, replica_regions: regions } = settings;
  const faults: string[] = [];
  if (settings.kms_key_id && settings.global_kms_key)
    faults.push('kms_key_id and global_kms_key mean the same: give kms_key_id only');
  if (isGiven(regions) && (isGiven(locations) || isGiven(keys)))
    faults.push(
      'replica_regions replaces replication_locations and locational_kms_keys: give only replica_regions',
    );
  const unplaced = Object.keys(keys ?? {}).filter((location) => !(locations ?? []).includes(location));
  if (unplaced.length > 0)
    faults.push(`locational_kms_keys: ${unplaced.join(', ')} must be in replication_locations`);
  return faults;
}

function isGiven(value: object | undefined): boolean {
  return Object.keys(value ?? {}).length > 0;
}
