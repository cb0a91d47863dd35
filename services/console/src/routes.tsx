import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  retainSearchParams,
} from '@tanstack/react-router';
import { goToNamespace } from './api/namespace.ts';
import { Page, Skeleton } from './kit/page.tsx';
import { FailureNotice } from './kit/failure-notice.tsx';
import {
  destinationSearchIn,
  eventFilterIn,
  linksSearchIn,
  rowFilterIn,
  textIn,
  timelineFilterIn,
  timeSpanIn,
  versionFilterIn,
} from './searches.ts';
import { Shell } from './shell/shell.tsx';

/** The namespace of every page. It stays when the user goes to another page; absent: that of the caller's token. */
type Place = { ns?: string | undefined };

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>): Place => ({ ns: textIn(search['ns']) }),
  search: { middlewares: [retainSearchParams(['ns'])] },
  beforeLoad: ({ search }) => goToNamespace(search.ns ?? ''),
  component: Shell,
  notFoundComponent: () => (
    <Page title="Page not found">
      <p>
        <Link to="/">Go to the overview</Link>
      </p>
    </Page>
  ),
  errorComponent: ({ error }) => <FailureNotice failure={error} retry={() => window.location.reload()} />,
});

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
  component: lazyRouteComponent(() => import('./features/problems/timeline.tsx'), 'Timeline'),
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
  validateSearch: linksSearchIn,
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
  component: lazyRouteComponent(() => import('./features/destinations/history.tsx'), 'DestinationHistory'),
});

const association = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$type/$name/secret/$',
  component: lazyRouteComponent(() => import('./features/associations/association.tsx'), 'Association'),
});

const secrets = createRoute({
  getParentRoute: () => root,
  path: '/secrets/$',
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
  validateSearch: timeSpanIn,
  component: lazyRouteComponent(() => import('./features/audit/activity.tsx'), 'Activity'),
});

const readers = createRoute({
  getParentRoute: () => root,
  path: '/readers/$',
  component: lazyRouteComponent(() => import('./features/access/readers.tsx'), 'Readers'),
});

const versions = createRoute({
  getParentRoute: () => root,
  path: '/versions',
  validateSearch: versionFilterIn,
  component: lazyRouteComponent(() => import('./features/versions/versions.tsx'), 'Versions'),
});

const tokens = createRoute({
  getParentRoute: () => root,
  path: '/access/tokens',
  component: lazyRouteComponent(() => import('./features/access/tokens.tsx'), 'Tokens'),
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

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: lazyRouteComponent(() => import('./features/status/status.tsx'), 'StatusPage'),
});

export const router = createRouter({
  basepath: '/ui',
  // A path that ends in a slash is a folder.
  trailingSlash: 'preserve',
  routeTree: root.addChildren([
    overview,
    problems,
    timeline,
    destinations,
    connect,
    allLinks,
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
    tokens,
    policies,
    policy,
    namespaces,
    sessions,
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
