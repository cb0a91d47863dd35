import { Navigate, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Skeleton } from '../kit/page.tsx';
import { useAllowedEntries } from './allowed-entries.ts';
import { SESSIONS } from '../kit/rights/access-pages.ts';

const START = /^(?:\/ui)?\/?$/;

/** Leads from the start of the console to the first page that the user may see. */
export function Landing({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return START.test(pathname) ? <First>{children}</First> : children;
}

function First({ children }: { children: ReactNode }) {
  const entries = useAllowedEntries();
  if (!entries) return <Skeleton />;
  // Whoever may see no more than everyone reads on the overview which right is missing.
  const first = entries.find(({ to }) => to !== SESSIONS.to);
  return !first || first.to === '/' ? children : <Navigate to={first.to} replace />;
}
