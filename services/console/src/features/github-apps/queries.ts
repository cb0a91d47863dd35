import { queryOptions, useQuery } from '@tanstack/react-query';
import type { GithubAppAnswer } from '../../../../api/contract/destinations.ts';
import type { DestinationTypeAnswer } from '../../../../api/contract/forms.ts';
import { call, pathOf } from '../../api/client.ts';
import type { Right } from '../../api/right.ts';
import { readListAllowed, requireRight } from '../../api/rights.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';

const PATH = 'sys/sync/github-apps';

/** The right to the names of the GitHub Apps. */
export const APPS: Right = { path: PATH, capability: 'list' };

export const appPath = (name: string): string => `${PATH}/${pathOf(name)}`;

export type GithubApp = GithubAppAnswer & { revision: string };

/** The names of the GitHub Apps of the namespace. */
export const appNamesQuery = queryOptions({
  queryKey: ['github-apps'],
  queryFn: async () => (await readListAllowed<{ keys: string[] }>(`${PATH}?list=true`, { keys: [] })).keys,
});

/** One GitHub App; its key is only told by its fingerprint. */
export const appQuery = (name: string) =>
  queryOptions({
    queryKey: ['github-apps', name],
    queryFn: async (): Promise<GithubApp> => {
      await requireRight(appPath(name));
      const { data, etag } = await call<{ data: GithubAppAnswer }>('GET', appPath(name));
      return { ...data.data, revision: etag?.replaceAll('"', '') ?? '' };
    },
  });

/** A type whose destinations may sign in as a GitHub App, with the apps to choose from. */
export function useWithApps(schema: DestinationTypeAnswer): DestinationTypeAnswer {
  const mayList = useHasRights([APPS]);
  const hasApps = schema.modes.some(({ mode }) => mode === 'app');
  const { data: suggestions } = useQuery({ ...appNamesQuery, enabled: hasApps && mayList });
  if (!suggestions) return schema;
  const settings = schema.settings.map((field) =>
    field.name === 'app_name' ? { ...field, suggestions } : field,
  );
  return { ...schema, settings };
}
