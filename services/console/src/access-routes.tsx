import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { root } from './root-route.tsx';
import { textIn } from './searches.ts';

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/access/tokens',
  component: lazyRouteComponent(() => import('./features/access/tokens/tokens.tsx'), 'Tokens'),
});

const policies = createRoute({
  getParentRoute: () => root,
  path: '/access/policies',
  component: lazyRouteComponent(() => import('./features/access/policies.tsx'), 'Policies'),
});

const policy = createRoute({
  getParentRoute: () => root,
  path: '/access/policies/$name',
  component: lazyRouteComponent(() => import('./features/access/policy.tsx'), 'Policy'),
});

const methods = createRoute({
  getParentRoute: () => root,
  path: '/access/auth-methods',
  component: lazyRouteComponent(() => import('./features/access/auth/methods.tsx'), 'AuthMethods'),
});

const method = createRoute({
  getParentRoute: () => root,
  path: '/access/auth/$',
  beforeLoad: ({ params: { _splat: path } }) => {
    if (!path) throw redirect({ to: '/access/auth-methods', replace: true });
  },
  validateSearch: (search: Record<string, unknown>): { role?: string | undefined } => ({
    role: textIn(search['role']),
  }),
  component: lazyRouteComponent(() => import('./features/access/auth/method.tsx'), 'Method'),
});

const teams = createRoute({
  getParentRoute: () => root,
  path: '/access/teams',
  component: lazyRouteComponent(() => import('./features/access/teams/teams.tsx'), 'Teams'),
});

const namespaces = createRoute({
  getParentRoute: () => root,
  path: '/access/namespaces',
  component: lazyRouteComponent(() => import('./features/access/namespaces/namespaces.tsx'), 'Namespaces'),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/access/sessions',
  component: lazyRouteComponent(() => import('./features/access/sessions.tsx'), 'Sessions'),
});

/** The pages about access. */
export const accessRoutes = [tokens, policies, policy, methods, method, teams, namespaces, sessions] as const;
