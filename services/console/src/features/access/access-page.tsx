import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import kit from '../../kit/kit.module.css';
import { Page } from '../../kit/page.tsx';
import { useAllowed } from '../../kit/rights/allowed.ts';
import type { PageRights } from '../../kit/rights/lock.ts';
import { ACCESS } from '../../kit/rights/access-pages.ts';

/** The common frame of the pages about access. */
export function AccessPage({
  title,
  about,
  here,
  actions,
  children,
  ...needed
}: PageRights & {
  title: string;
  about: ReactNode;
  /** The page that it is below. */
  here?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const tabs = useAllowed(ACCESS) ?? [];
  return (
    <Page title={title} {...needed} about={about} actions={actions}>
      <nav className={kit.tabs} aria-label="Access">
        {tabs.map(({ to, label }) => (
          <Link key={to} to={to} className={kit.tab} aria-current={to === here ? 'page' : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
