import { createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { accessRoutes } from './access-routes.tsx';
import { Skeleton } from './kit/page.tsx';
import { parentRoutes } from './parent-routes.tsx';
import { root } from './root-route.tsx';
import {
  activityFilterIn,
  destinationSearchIn,
  eventFilterIn,
  nameSearchIn,
  rowFilterIn,
  storyFilterIn,
  timelineFilterIn,
  versionFilterIn,
} from './searches.ts';

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./features/overview/overview.tsx'), 'Overview'),
});

const problems = createRoute({
  getParentRoute: () => root,
  path: '/problems',
  component: lazyRouteComponent(() => import('./features/problems/problems.tsx'), 'Problems'),
});

const timeline = createRoute({
  getParentRoute: () => root,
  path: '/problems/timeline',
  validateSearch: timelineFilterIn,
  component: lazyRouteComponent(() => import('./features/problems/incidents/timeline.tsx'), 'Timeline'),
});

const destinations = createRoute({
  getParentRoute: () => root,
  path: '/destinations',
  validateSearch: destinationSearchIn,
  component: lazyRouteComponent(
    () => import('./features/destinations/list/destinations.tsx'),
    'Destinations',
  ),
});

const allLinks = createRoute({
  getParentRoute: () => root,
  path: '/links',
  validateSearch: destinationSearchIn,
  component: lazyRouteComponent(() => import('./features/links/all-links.tsx'), 'AllLinks'),
});

const connect = createRoute({
  getParentRoute: () => root,
  path: '/connect',
  // The steps are one page, so it keeps what the user typed.
  validateSearch: (search: Record<string, unknown>): { step?: number } => {
    const step = Number(search['step']);
    return step >= 1 && step <= 3 ? { step: Math.floor(step) } : {};
  },
  component: lazyRouteComponent(() => import('./features/connect/connect.tsx'), 'Connect'),
});

const githubApps = createRoute({
  getParentRoute: () => root,
  path: '/github-apps',
  component: lazyRouteComponent(() => import('./features/github-apps/github-apps.tsx'), 'GithubApps'),
});

const links = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$type/$name',
  validateSearch: rowFilterIn,
  component: lazyRouteComponent(() => import('./features/destinations/links.tsx'), 'Links'),
});

const destinationSettings = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$type/$name/settings',
  component: lazyRouteComponent(() => import('./features/destinations/settings.tsx'), 'DestinationSettings'),
});

const destinationHistory = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$type/$name/history',
  validateSearch: activityFilterIn,
  component: lazyRouteComponent(() => import('./features/destinations/history.tsx'), 'DestinationHistory'),
});

const association = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$type/$name/secret/$',
  beforeLoad: ({ params: { _splat: secret, ...destination } }) => {
    if (!secret) throw redirect({ to: '/destinations/$type/$name', params: destination, replace: true });
  },
  component: lazyRouteComponent(() => import('./features/associations/association.tsx'), 'Association'),
});

const secrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets/$',
  validateSearch: nameSearchIn,
  component: lazyRouteComponent(() => import('./features/secrets/secrets.tsx'), 'Secrets'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings/$kind',
  component: lazyRouteComponent(() => import('./features/settings/settings.tsx'), 'Settings'),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./features/alerts/alerts.tsx'), 'Alerts'),
});

const alert = createRoute({
  getParentRoute: () => root,
  path: '/alerts/$name',
  component: lazyRouteComponent(() => import('./features/alerts/alert.tsx'), 'Alert'),
});

// Any name below /alerts can be that of a rule.
const newAlert = createRoute({
  getParentRoute: () => root,
  path: '/new-alert',
  component: lazyRouteComponent(() => import('./features/alerts/new-alert.tsx'), 'NewAlert'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: eventFilterIn,
  component: lazyRouteComponent(() => import('./features/audit/audit.tsx'), 'Audit'),
});

const activity = createRoute({
  getParentRoute: () => root,
  path: '/activity/$',
  beforeLoad: needSecret,
  validateSearch: storyFilterIn,
  component: lazyRouteComponent(() => import('./features/activity/secret-activity.tsx'), 'SecretActivity'),
});

const readers = createRoute({
  getParentRoute: () => root,
  path: '/readers/$',
  beforeLoad: needSecret,
  component: lazyRouteComponent(() => import('./features/access/readers.tsx'), 'Readers'),
});

const versions = createRoute({
  getParentRoute: () => root,
  path: '/versions',
  validateSearch: versionFilterIn,
  component: lazyRouteComponent(() => import('./features/versions/versions.tsx'), 'Versions'),
});

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyRouteComponent(() => import('./features/status/status.tsx'), 'StatusPage'),
});

function needSecret({ params: { _splat: secret } }: { params: { _splat?: string } }): void {
  if (!secret) throw redirect({ to: '/secrets/$', params: { _splat: '' }, replace: true });
}

export const router = createRouter({
  basepath: '/ui',
  // What was ticked, typed or found at one thing must not be there at another.
  defaultRemountDeps: ({ params }) => params,
  // A path that ends in a slash is a folder.
  trailingSlash: 'preserve',
  routeTree: root.addChildren([
    overview,
    problems,
    timeline,
    destinations,
    connect,
    allLinks,
    githubApps,
    links,
    destinationSettings,
    destinationHistory,
    association,
    secrets,
    settings,
    alerts,
    alert,
    newAlert,
    audit,
    activity,
    readers,
    versions,
    ...accessRoutes,
    ...parentRoutes,
    status,
  ]),
  defaultPendingMs: 150,
  defaultPendingComponent: () => <Skeleton />,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
