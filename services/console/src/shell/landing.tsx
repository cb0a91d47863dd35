import { Link, Navigate, useLocation, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { currentNamespace, isAtHome } from '../api/client.ts';
import { Page, Skeleton } from '../kit/page.tsx';
import { SESSIONS } from '../kit/rights/access-pages.ts';
import { isSitePage, useAllowedEntries, useIsNamespaceClosed, useIsNewcomer } from './allowed-entries.ts';
import { pagePathOf, sectionOf } from './entries.ts';
import { Welcome } from './welcome.tsx';

/**
 * Leads from the start of the console to the first page that the user may see. `home` is the namespace of the caller's
 * token: instead of the pages of a namespace that the user can't enter, there is a way back to it.
 */
export function Landing({ home, children }: { home: string; children: ReactNode }) {
  const { pathname } = useLocation();
  const path = pagePathOf(pathname);
  const entries = useAllowedEntries();
  // The address is that of the next page before its code is there, and until then the page is still this one.
  const isStart = useMatches({ select: (matches) => matches.at(-1)?.routeId === '/' });
  const isClosed = useIsNamespaceClosed();
  // What a page of a closed namespace asks for would all be refused, and stand in the audit trail.
  if (!entries && !isAtHome()) return <Skeleton />;
  const isOfSite = entries
    ?.flatMap(({ pages, ...entry }) => pages ?? [{ ...entry, to: sectionOf(entry.to) }])
    .some((page) => isSitePage(page) && path.startsWith(page.to));
  if (isClosed && !isOfSite) return <NamespaceClosed home={home} />;
  if (isStart) return <First home={home}>{children}</First>;
  return children;
}

function First({ home, children }: { home: string; children: ReactNode }) {
  const entries = useAllowedEntries();
  const isNewcomer = useIsNewcomer();
  if (!entries) return <Skeleton />;
  if (isNewcomer) return <Welcome />;
  const first = entries.find(({ to }) => to !== SESSIONS.to);
  if (!first && !isAtHome()) return <NamespaceClosed home={home} />;
  return !first || first.to === '/' ? children : <Navigate to={first.to} replace />;
}

function NamespaceClosed({ home }: { home: string }) {
  return (
    <Page title="Namespace not found">
      <p>
        There is no namespace <code>{currentNamespace() || 'root'}</code>, or you don’t have access to it.
      </p>
      <p>
        <Link to="/" search={{ ns: undefined }}>
          Go to the namespace {home || 'root'}
        </Link>
      </p>
    </Page>
  );
}
