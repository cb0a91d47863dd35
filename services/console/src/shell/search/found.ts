import { useQuery } from '@tanstack/react-query';
import type { useNavigate } from '@tanstack/react-router';
import { currentNamespace } from '../../api/client.ts';
import { folderQuery } from '../../api/folders.ts';
import { mountsQuery } from '../../api/queries.ts';
import { searchQuery } from '../../api/search.ts';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { signOut } from '../../session/session.ts';
import { usePaused } from '../../kit/paused.ts';
import { useAllowed, useHasRights } from '../../kit/rights/allowed.ts';
import { useAllowedEntries } from '../allowed-entries.ts';
import { useAccess } from './access.ts';
import { useDoings } from './doings.tsx';
import { doesMatch, type Found } from './finding.ts';
import { usePageActions } from '../../kit/rights/page-actions.ts';

type Ways = { navigate: ReturnType<typeof useNavigate>; showKeys: () => void };

const MOST = 30;

const WHO_MAY_READ = /^who\s+(?:(?:may|can)\s+)?(?:read\s+)?(.+)/i;

const CONNECT = [
  {
    to: '/connect',
    kind: 'Action',
    label: 'New destination',
    also: 'Connect a destination',
    right: { path: 'sys/sync/destinations/+', capability: 'create' },
  },
  {
    to: '/github-apps',
    kind: 'Page',
    label: 'GitHub Apps',
    also: '',
    right: { path: 'sys/sync/github-apps', capability: 'list' },
  },
];

/** Everything that matches a text: its label contains every word of the text. Labels that begin with it come first. */
export function useFound(text: string, { navigate, showKeys }: Ways): Found[] {
  const actions = usePageActions();
  const entries = useAllowedEntries() ?? [];
  const connect = useAllowed(CONNECT) ?? [];
  // The name of a section stands for its first page.
  const places = [...entries, ...entries.flatMap(({ pages = [] }) => pages.slice(1))];
  const destinations = useDestinations(text, navigate);
  const question = WHO_MAY_READ.exec(text);
  const name = question?.[1] ?? text;
  const inFolder = useSecrets(name, navigate);
  const anywhere = useSecretsAnywhere(name, navigate).filter(
    ({ id }) => !inFolder.some((one) => one.id === id),
  );
  const access = useAccess(text, navigate);
  const doings = useDoings();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Found[] = [
    ...actions.map(({ key, label, run }) => ({ id: `do ${key}`, kind: `Action  ${key}`, label, run })),
    ...places.map(({ to, label, also = '' }) => ({
      id: to,
      kind: 'Page',
      label,
      also,
      run: () => void navigate({ to }),
    })),
    ...doings,
    ...connect.map(({ to, kind, label, also }) => ({
      id: to,
      kind,
      label,
      also,
      run: () => void navigate({ to }),
    })),
    ...destinations,
    ...access,
    { id: 'keys', kind: 'Action  ?', label: 'Keyboard shortcuts', run: showKeys },
    { id: 'sign out', kind: 'Action', label: 'Sign out', run: signOut },
  ];
  const matching = found.filter((one) => doesMatch(one, text));
  const begins = ({ label }: Found): number => Number(label.toLowerCase().startsWith(words.join(' ')));
  if (question) return [...inFolder, ...anywhere].flatMap((one) => readersOf(one, navigate)).slice(0, MOST);
  const bestFirst = matching.toSorted((left, right) => begins(right) - begins(left));
  const isNamed = ({ isLast = false }: Found): boolean => !isLast;
  const tokens = bestFirst.filter((one) => !isNamed(one));
  return [...bestFirst.filter(isNamed), ...inFolder, ...anywhere, ...tokens].slice(0, MOST);
}

// Finds secrets by their path, one folder at a time, so we read no more of the tree than needed.
function useSecrets(text: string, navigate: Ways['navigate']): Found[] {
  const { data: mounts = [] } = useQuery(mountsQuery);
  const path = text.trim();
  const mount = mounts.find((one) => path.startsWith(`${one}/`));
  const below = mount === undefined ? '' : path.slice(mount.length + 1);
  const folder = below.slice(0, below.lastIndexOf('/') + 1);
  const { data: keys = [] } = useQuery({
    ...folderQuery(mount ?? '', folder.replace(/\/$/, '')),
    enabled: mount !== undefined,
  });
  const here = `${mount ?? ''}/${folder}`;
  const all =
    mount === undefined ? mounts.map((one) => `${one}/`) : [here, ...keys.map((key) => `${here}${key}`)];
  return all
    .filter((one) => path !== '' && one.toLowerCase().includes(path.toLowerCase()))
    .map((one) => ({
      ...secretFound(one, navigate),
      ...(one.endsWith('/') && one !== path ? { text: one } : {}),
    }));
}

// Finds destinations by any part of their name, through the API: the summary names only some.
function useDestinations(text: string, navigate: Ways['navigate']): Found[] {
  const { data: summary } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  const { data: found } = useQuery(searchQuery(usePaused(text.trim()), 'below'));
  const nameOf = useDestinationName();
  const some = (summary?.destinations ?? []).map(({ store_type: type, store_name: name, namespace }) => ({
    type,
    name,
    namespace,
  }));
  const all = new Map(
    [...some, ...(found?.destinations ?? [])].map((one) => [
      `${one.namespace ?? ''}:${one.type}/${one.name}`,
      one,
    ]),
  );
  return [...all].map(([id, { type, name, namespace = currentNamespace() }]) => ({
    id: `destination ${id}`,
    kind: kindIn('Destination', namespace),
    label: nameOf(type, name),
    also: `${namespace} ${type}/${name}`,
    run: () =>
      void navigate({ to: '/destinations/$type/$name', params: { type, name }, search: placeOf(namespace) }),
  }));
}

// Finds secrets by any part of their name, through the API.
function useSecretsAnywhere(text: string, navigate: Ways['navigate']): Found[] {
  const { data } = useQuery(searchQuery(usePaused(text.trim()), 'below'));
  return (data?.secrets ?? []).map((one) =>
    secretFound(`${one.mount}/${one.secret_name}`, navigate, one.namespace),
  );
}

function secretFound(name: string, navigate: Ways['navigate'], namespace = currentNamespace()): Found {
  return {
    id: namespace === currentNamespace() ? `secret ${name}` : `secret ${namespace}:${name}`,
    kind: kindIn(name.endsWith('/') ? 'Folder of secrets' : 'Secret', namespace),
    label: name,
    run: () => void navigate({ to: '/secrets/$', params: { _splat: name }, search: placeOf(namespace) }),
  };
}

// The same question as the page of a secret answers; a folder is searched in first.
function readersOf({ id, kind, label, text }: Found, navigate: Ways['navigate']): Found[] {
  if (text !== undefined) return [{ id, kind, label, text: `who may read ${text}` }];
  // One of another namespace has its name there in its id.
  if (label.endsWith('/') || id !== `secret ${label}`) return [];
  const run = () => void navigate({ to: '/readers/$', params: { _splat: label } });
  return [{ id, kind, label: `Who may read ${label}`, run }];
}

// Only what is elsewhere changes the namespace of the page.
function placeOf(namespace: string): { ns?: string } {
  return namespace === currentNamespace() ? {} : { ns: namespace };
}

function kindIn(kind: string, namespace: string): string {
  return namespace === currentNamespace() ? kind : `${kind} in ${namespace || 'root'}`;
}
