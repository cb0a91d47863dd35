import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { useNavigate } from '@tanstack/react-router';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { currentNamespace } from '../../api/client.ts';
import { namespacesQuery, namespacesRight } from '../../api/queries.ts';
import {
  POLICIES,
  policiesQuery,
  TOKEN_ROLES,
  tokenRolesQuery,
  TOKENS_RIGHTS,
  tokensQuery,
} from '../../features/access/queries.ts';
import { teamsQuery } from '../../features/access/teams/queries.ts';
import { usePeople } from '../../features/audit/filter-options.ts';
import { usePaused } from '../../kit/paused.ts';
import { TEAMS } from '../../kit/rights/access-pages.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import type { Found } from './finding.ts';

const NAMES = [{ path: 'api/v2/admin/audit-events', capability: 'read' }];
const LEAST_LETTERS = 2;

/** Policies, roles, teams and the namespaces below this one by name, and the persons and tokens that did something. */
export function useAccess(text: string, navigate: ReturnType<typeof useNavigate>): Found[] {
  const wanted = usePaused(text.trim());
  const isAsked = wanted.length >= LEAST_LETTERS;
  const people = usePeople(wanted, useHasRights(NAMES) && isAsked);
  const policies = useQuery({ ...policiesQuery, enabled: useHasRights([POLICIES]) && isAsked });
  const roles = useQuery({ ...tokenRolesQuery, enabled: useHasRights([TOKEN_ROLES]) && isAsked });
  const teams = useQuery({ ...teamsQuery, enabled: useHasRights([TEAMS]) && isAsked });
  const mayListNamespaces = useHasRights([namespacesRight('')]);
  const namespaces = useQuery({ ...namespacesQuery(''), enabled: mayListNamespaces && isAsked });
  // Only the newest: their page has the others.
  const tokens = useInfiniteQuery({ ...tokensQuery(), enabled: useHasRights(TOKENS_RIGHTS) && isAsked });
  if (!isAsked) return [];
  return [
    ...(namespaces.data ?? []).map((name): Found => {
      const path = [currentNamespace(), name.replace(/\/$/, '')].filter(Boolean).join('/');
      return {
        id: `namespace ${path}`,
        kind: 'Namespace',
        label: path,
        run: () => void navigate({ to: '/', search: { ns: path } }),
      };
    }),
    ...people.map((name): Found => ({
      id: `who ${name}`,
      kind: 'Activity of a person or token',
      label: actorText(name),
      also: name,
      run: () => void navigate({ to: '/audit', search: { who: name } }),
    })),
    ...(tokens.data?.pages[0]?.tokens ?? []).map(({ accessor, display_name: name }): Found => ({
      id: `token ${accessor}`,
      kind: `Token  ${accessor}`,
      label: actorText(name) || 'root',
      also: name,
      code: accessor,
      isLast: true,
      run: () => void navigate({ to: '/audit', search: { token: accessor } }),
    })),
    ...(policies.data ?? []).map((name): Found => ({
      id: `policy ${name}`,
      kind: 'Policy',
      label: name,
      run: () => void navigate({ to: '/access/policies/$name', params: { name } }),
    })),
    ...(roles.data ?? []).map((name): Found => ({
      id: `token role ${name}`,
      kind: 'Token role',
      label: name,
      run: () => void navigate({ to: '/access/tokens' }),
    })),
    ...(teams.data ?? []).map(({ name }): Found => ({
      id: `team ${name}`,
      kind: 'Team',
      label: name,
      run: () => void navigate({ to: '/access/teams' }),
    })),
  ];
}
