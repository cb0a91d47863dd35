import { createRoute, Navigate, redirect } from '@tanstack/react-router';
import { Skeleton } from './kit/page.tsx';
import { root } from './root-route.tsx';
import { useAllowedEntries } from './shell/allowed-entries.ts';

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: () => <FirstOf label="Settings" otherwise="/settings/saml" />,
});

const access = createRoute({
  getParentRoute: () => root,
  path: '/access',
  component: () => <FirstOf label="Access" otherwise="/access/sessions" />,
});

const type = createRoute({
  getParentRoute: () => root,
  path: '/destinations/$type',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/destinations', search: { type: params.type }, replace: true });
  },
});

// The first page of a section that the user may see.
function FirstOf({ label, otherwise }: { label: string; otherwise: string }) {
  const entries = useAllowedEntries();
  if (!entries) return <Skeleton />;
  return <Navigate to={entries.find((entry) => entry.label === label)?.to ?? otherwise} replace />;
}

/** The addresses above those of pages, which lead to a page. */
export const parentRoutes = [settings, access, type] as const;
