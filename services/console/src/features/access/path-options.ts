import { useQuery } from '@tanstack/react-query';
import { folderQuery } from '../../api/folders.ts';
import { mountsQuery } from '../../api/queries.ts';
import { destinationsQuery } from '../../api/summary.ts';
import { usePaused } from '../../kit/paused.ts';
import type { Option } from '../../kit/picker/options.ts';

const DESTINATIONS = 'sys/sync/destinations/';
const OTHERS = ['auth/token/create', 'sys/mounts/', 'sys/namespaces/', 'sys/policies/acl/', DESTINATIONS];
const PARTS = [
  ['data', 'Values of secrets'],
  ['metadata', 'Names, versions and limits of secrets'],
] as const;

/** Paths that a policy may be about, as far as the user may list them: folder by folder, and destinations. */
export function usePathOptions(text: string): Option[] {
  const { data: mounts = [] } = useQuery({ ...mountsQuery, retry: false });
  const starts = mounts.flatMap((mount) =>
    PARTS.map(([part, about]) => ({ mount, value: `${mount}/${part}/`, about, isPrefix: true })),
  );
  const start = starts.find(({ value }) => text.startsWith(value));
  const folder = start ? text.slice(start.value.length, text.lastIndexOf('/') + 1) : '';
  const { data: keys = [] } = useQuery({
    ...folderQuery(start?.mount ?? '', folder.replace(/\/$/, '')),
    enabled: start !== undefined,
    retry: false,
  });
  const q = usePaused(text.startsWith(DESTINATIONS) ? text.slice(DESTINATIONS.length) : '');
  const { data: page } = useQuery({
    ...destinationsQuery({ q: q.split('/').at(-1) || undefined }, 0),
    enabled: text.startsWith(DESTINATIONS),
    retry: false,
  });
  return [
    ...(start
      ? keys.map((key) => ({ value: `${start.value}${folder}${key}`, isPrefix: key.endsWith('/') }))
      : starts),
    ...(page?.destinations ?? []).map(({ store_type: type, store_name: name }) => ({
      value: `${DESTINATIONS}${type}/${name}`,
    })),
    ...OTHERS.map((value) => ({ value, isPrefix: value.endsWith('/') })),
  ];
}
