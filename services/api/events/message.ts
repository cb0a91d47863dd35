import { randomUUID } from 'node:crypto';
import type { Event } from '../../../libs/queue/events.ts';
import { seal, unseal } from '../../../libs/crypto/seal.ts';
import type { Keyring } from '../../../libs/crypto/keyring.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import type { Mount } from '../../../libs/store/secrets/mounts.ts';

/** The name under which the broker carries changes of secrets. */
export const SECRET_CHANGED = 'secret.changed';

// Whoever reads the exchange need not have a right on any path.
const SEALED_FOR = `event/${SECRET_CHANGED}`;

type Shape = {
  /** The folder of the mount that the request went to. */
  folder: string;
  /** The folder that shows what has changed; absent if the change took it away. */
  shows?: string;
  /** The folder on whose path a subscriber needs its rights. */
  rightsOn: 'data' | 'metadata' | 'config';
};

const DATA: Shape = { folder: 'data', shows: 'data', rightsOn: 'data' };
const METADATA: Shape = { folder: 'metadata', shows: 'metadata', rightsOn: 'metadata' };

/** The changes of a KV version 2 mount that are told, with the paths that Vault tells of them. */
const OPERATIONS = {
  'data-write': DATA,
  'data-patch': DATA,
  'data-delete': { folder: 'data', rightsOn: 'data' },
  delete: { folder: 'delete', rightsOn: 'data' },
  undelete: { folder: 'undelete', shows: 'data', rightsOn: 'data' },
  destroy: { folder: 'destroy', rightsOn: 'data' },
  'metadata-write': METADATA,
  'metadata-patch': METADATA,
  'metadata-delete': { folder: 'metadata', rightsOn: 'metadata' },
  'config-write': { folder: 'config', shows: 'config', rightsOn: 'config' },
} satisfies Record<string, Shape>;

export type Operation = keyof typeof OPERATIONS;

/** One change. `path`: that of the secret within the mount; absent for the mount itself. */
export type KvChange = {
  operation: Operation;
  path?: string;
  /** The numbers of the secret after the change. */
  versions?: { current_version: number; oldest_version: number };
  /** The numbers that the request named. */
  named?: number[];
};

/** What a subscriber gets: a CloudEvent as Vault writes it. Every value of the metadata is a text. */
export type EventMessage = {
  id: string;
  source: string;
  specversion: '1.0';
  type: '*';
  data: {
    event: { id: string; metadata: Record<string, string> };
    event_type: string;
    plugin_info: {
      mount_class: 'secret';
      mount_accessor: string;
      mount_path: string;
      plugin: 'kv';
      version: '2';
    };
    /** Ends in a slash; absent for the root namespace. */
    namespace?: string;
  };
  datacontentype: 'application/cloudevents';
  time: string;
};

/** A change on its way to the subscribers. `path`: where they need their rights, within the namespace. */
export type KvEvent = { namespace: Namespace; path: string; message: EventMessage };

const LISTED: Partial<Record<Operation, string>> = {
  delete: 'deleted_versions',
  undelete: 'undeleted_versions',
  destroy: 'destroyed_versions',
};

/** The event of a change. `installation` is the id of the installation. */
export function createKvEvent(
  source: { namespace: Namespace; mount: Mount; installation: string },
  { operation, path, versions, named }: KvChange,
): KvEvent {
  const { folder, shows, rightsOn }: Shape = OPERATIONS[operation];
  const { namespace, mount } = source;
  const within = (name: string): string => [mount.path, name, path].filter(Boolean).join('/');
  const id = randomUUID();
  const listed = LISTED[operation];
  const metadata = {
    ...(versions
      ? {
          current_version: String(versions.current_version),
          oldest_version: String(versions.oldest_version),
        }
      : {}),
    ...(shows ? { data_path: within(shows) } : {}),
    ...(listed && named ? { [listed]: JSON.stringify(named) } : {}),
    modified: 'true',
    operation,
    path: within(folder),
  };
  const message: EventMessage = {
    id,
    source: `sealift://${source.installation}`,
    specversion: '1.0',
    type: '*',
    data: {
      event: { id, metadata },
      event_type: `kv-v2/${operation}`,
      plugin_info: {
        mount_class: 'secret',
        mount_accessor: mount.accessor,
        mount_path: `${mount.path}/`,
        plugin: 'kv',
        version: '2',
      },
      ...(namespace.path === '' ? {} : { namespace: `${namespace.path}/` }),
    },
    datacontentype: 'application/cloudevents',
    time: new Date().toISOString(),
  };
  return { namespace: { id: namespace.id, path: namespace.path }, path: within(rightsOn), message };
}

/** Events as the broker carries them, sealed. */
export function sealEvents(keyring: Keyring, events: KvEvent[]): Event {
  const sealed = seal(keyring, JSON.stringify(events), SEALED_FOR).toString('base64');
  return { name: SECRET_CHANGED, data: { sealed } };
}

/** Throws UnsealError for what no process with our master key wrote. */
export function openEvents(keyring: Keyring, data: Record<string, unknown>): KvEvent[] {
  const sealed = Buffer.from(String(data['sealed']), 'base64');
  return JSON.parse(unseal(keyring, sealed, SEALED_FOR).toString()) as KvEvent[];
}
