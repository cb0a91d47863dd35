import { queryOptions } from '@tanstack/react-query';
import type {
  DestinationsOfSecretAnswer,
  RecordsAnswer,
  RowsAnswer,
} from '../../../api/contract/associations.ts';
import type {
  CredentialsAnswer,
  IdentityAnswer,
  DestinationAnswer,
  DestinationListAnswer,
} from '../../../api/contract/destinations.ts';
import type { SchemasAnswer } from '../../../api/contract/forms.ts';
import type { VersionDiffAnswer, SecretMetadataAnswer, ValueType } from '../../../api/contract/secrets.ts';
import type { NamespaceAnswer, VisibleMountsAnswer } from '../../../api/contract/mounts.ts';
import { readAllowed, readListAllowed, readStamped, requireRight } from './rights.ts';
import { pathOf, read, readList } from './client.ts';
import { BUSY_MS, mayAskAgain, MOVING, ONCE, QUIET_MS } from './polling.ts';
import { isMissing } from './failure.ts';
import type { Right } from './right.ts';

/** Filters the rows of a destination; empty: all. */
export type RowFilter = { status?: string | undefined; cause?: string | undefined; q?: string | undefined };

export const destinationPath = (type: string, name: string): string =>
  `sys/sync/destinations/${pathOf(type)}/${pathOf(name)}`;

export const schemasQuery = queryOptions({
  queryKey: ['schemas'],
  queryFn: () => read<SchemasAnswer>('sys/schemas'),
  staleTime: Infinity,
  ...ONCE,
});

export const LIST_DESTINATIONS: Right = { path: 'sys/sync/destinations', capability: 'list' };

/** Every destination of the namespace, by type and name. */
export const destinationNamesQuery = queryOptions({
  queryKey: ['destination-names'],
  queryFn: async () => {
    const empty: DestinationListAnswer = { keys: [], key_info: {}, total_destinations: 0 };
    const { key_info: byType } = await readList('sys/sync/destinations?list=true', empty);
    return Object.entries(byType).flatMap(([type, names]) =>
      names.map((name) => ({ type: type.replace(/\/$/, ''), name })),
    );
  },
});

export const destinationQuery = (type: string, name: string) =>
  queryOptions({
    queryKey: ['destination', type, name],
    queryFn: () => readStamped<DestinationAnswer>(destinationPath(type, name)),
  });

/** What names the credentials of a destination, by setting; undefined without the right to read that. */
export const credentialsQuery = (type: string, name: string) =>
  queryOptions({
    queryKey: ['destination', type, name, 'credentials'],
    queryFn: async () =>
      (await readAllowed<CredentialsAnswer>(`${destinationPath(type, name)}/credentials`)).in_use,
    retry: false,
  });

/** The right to who a destination is towards its store. */
export const identityRight = (type: string, name: string): Right => ({
  path: `sys/sync/destinations/${type}/${name}/identity`,
  capability: 'read',
});

/** Who a destination is towards its store, for the trust there; it need not exist yet. */
export const identityQuery = (type: string, name: string) =>
  queryOptions({
    queryKey: ['destination', type, name, 'identity'],
    queryFn: () => readAllowed<IdentityAnswer>(`${destinationPath(type, name)}/identity?draft=true`),
    retry: false,
  });

/** A page of rows. With `anchors`, also the number of all rows, and where each page begins. */
export function readRows(
  destination: { type: string; name: string },
  filter: RowFilter,
  page: { after: string; limit: number; anchors: boolean },
): Promise<RowsAnswer> {
  const query = new URLSearchParams({ limit: String(page.limit) });
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  if (page.after) query.set('after', page.after);
  if (page.anchors) query.set('anchors', 'true');
  return readAllowed(
    `${destinationPath(destination.type, destination.name)}/associations/rows?${query.toString()}`,
    { background: true },
  );
}

/** The entries of the link of one secret; null if it is not linked. */
export const associationQuery = (type: string, name: string, secret: { mount: string; path: string }) =>
  queryOptions({
    queryKey: ['association', type, name, secret.mount, secret.path],
    queryFn: async () => {
      const query = new URLSearchParams({ mount: secret.mount, secret_name: secret.path });
      const path = `${destinationPath(type, name)}/associations`;
      const reading = readAllowed<RecordsAnswer>(`${path}?${query.toString()}`, { background: true });
      const found = await reading.catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return found && Object.values(found.associated_secrets);
    },
    refetchInterval: ({ state }) => mayAskAgain(state) && 3000,
  });

/** The link of one secret as a row, which says since when it is so; null if the filter does not select it any more. */
export const rowOfLinkQuery = (
  { type, name, secret }: { type: string; name: string; secret: { mount: string; path: string } },
  filter: RowFilter,
) =>
  queryOptions({
    queryKey: ['row-of-link', type, name, secret.mount, secret.path, filter],
    queryFn: async () => {
      const page = { after: '', limit: 500, anchors: false };
      const { rows } = await readRows({ type, name }, { ...filter, q: secret.path }, page);
      const isIt = (row: RowsAnswer['rows'][number]): boolean =>
        row.mount === secret.mount && row.secret_name === secret.path;
      return rows.find(isIt) ?? null;
    },
  });

/** The paths of the mounts whose secrets can be synced, without slashes at their ends. */
export const mountsQuery = queryOptions({
  queryKey: ['mounts'],
  queryFn: async () => {
    const { secret } = await read<VisibleMountsAnswer>('sys/internal/ui/mounts');
    const mounts = Object.entries(secret).filter(([, mount]) => mount.options?.['version'] === '2');
    return mounts.map(([path]) => path.replace(/\/$/, '')).toSorted();
  },
  staleTime: 30_000,
});

export const metadataQuery = (mount: string, path: string) =>
  queryOptions({
    queryKey: ['metadata', mount, path],
    queryFn: () => readAllowed<SecretMetadataAnswer>(`${pathOf(mount)}/metadata/${pathOf(path)}`),
  });

export const keysQuery = (mount: string, path: string, version: number) =>
  queryOptions({
    queryKey: ['keys', mount, path, version],
    queryFn: async () => {
      const { types = {} } = await readAllowed<{ types?: Record<string, ValueType> }>(
        `${pathOf(mount)}/subkeys/${pathOf(path)}?depth=1&version=${version}&types=true`,
      );
      return Object.entries(types).map(([name, type]) => ({ name, type }));
    },
  });

export const diffQuery = (mount: string, path: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['diff', mount, path, from, to],
    queryFn: () => read<VersionDiffAnswer>(`${pathOf(mount)}/diff/${pathOf(path)}?from=${from}&to=${to}`),
    staleTime: Infinity,
    ...ONCE,
  });

export type SyncedToAnswer = DestinationsOfSecretAnswer['associated_destinations'][string];

export const syncedToQuery = (mount: string, path: string) =>
  queryOptions({
    queryKey: ['synced-to', mount, path],
    queryFn: async () => {
      const query = new URLSearchParams({ mount, secret_name: path });
      const empty: DestinationsOfSecretAnswer = { associated_destinations: {} };
      const found = await readListAllowed(`sys/sync/associations/destinations?${query.toString()}`, empty);
      return Object.values(found.associated_destinations);
    },
    refetchInterval: ({ state }) =>
      mayAskAgain(state) &&
      (state.data?.some(({ sync_status: status }) => MOVING.includes(status)) ? BUSY_MS : QUIET_MS),
  });

/** The right to list the namespaces directly below one, whose path is relative to the page's own namespace. */
export const namespacesRight = (parent: string): Right => ({
  path: [parent.replace(/\/$/, ''), 'sys/namespaces'].filter(Boolean).join('/'),
  capability: 'list',
});

/**
 * The namespaces directly below one, by their last segments, each with a slash; `parent` is relative to the page's own
 * namespace.
 */
export const namespacesQuery = (parent: string) =>
  queryOptions({
    queryKey: ['namespaces', parent],
    queryFn: async () => {
      const found = await readList<{ keys: string[] }>(
        'sys/namespaces?list=true',
        { keys: [] },
        { namespace: parent },
      );
      return found.keys;
    },
  });

/** The same, with what each of them holds. */
export const describedNamespacesQuery = (parent: string) =>
  queryOptions({
    queryKey: ['namespaces', parent, 'details'],
    queryFn: async () => {
      const empty: { keys: string[]; key_info: Record<string, NamespaceAnswer> } = { keys: [], key_info: {} };
      await requireRight(`${namespacesRight(parent).path}?list=true`);
      const found = await readList('sys/namespaces?list=true&details=true', empty, { namespace: parent });
      return found.keys.map((name) => ({ name, contents: found.key_info[name]?.contents }));
    },
  });
