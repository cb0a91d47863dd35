import { Link } from '@tanstack/react-router';
import kit from '../../kit/kit.module.css';
import { useAllowed } from '../../kit/rights/allowed.ts';

const TABS = [
  { to: '/problems', label: 'Now' },
  { to: '/problems/timeline', label: 'Timeline', right: { path: 'sys/sync/incidents', capability: 'read' } },
];

/** What fails now, and what failed at other times. */
export function ProblemTabs() {
  const tabs = useAllowed(TABS) ?? [];
  return (
    <nav className={kit.tabs} aria-label="Problems">
      {tabs.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }} className={kit.tab}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
