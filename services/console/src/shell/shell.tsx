import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import {
  Activity,
  Database,
  KeyRound,
  ScrollText,
  Settings,
  TriangleAlert,
  type LucideIcon,
} from 'lucide-react';
import { summaryQuery } from '../api/summary.ts';
import { useNow } from '../kit/time.tsx';
import { signOut, useSession } from '../session/session.ts';
import { Button } from '../kit/button.tsx';
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx';
import styles from './shell.module.css';
import { ThemeButton } from './theme.tsx';

const STALE_MS = 25_000;

type Entry = { to: string; label: string; icon: LucideIcon; exact?: boolean };

const ENTRIES: Entry[] = [
  { to: '/', label: 'Overview', icon: Activity, exact: true },
  { to: '/problems', label: 'Problems', icon: TriangleAlert },
  { to: '/destinations', label: 'Destinations', icon: Database },
  { to: '/secrets/', label: 'Secrets', icon: KeyRound },
  { to: '/settings/general', label: 'Settings', icon: Settings },
  { to: '/audit', label: 'Audit', icon: ScrollText },
];

/** What surrounds every page. */
export function Shell() {
  const session = useSession();
  const { helpIsOpen, closeHelp } = useShortcuts();
  const name = 'session' in session ? session.session.display_name : '';
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          <img src="/ui/icon.svg" alt="" width="24" height="24" />
          Sealift
        </Link>
        <Age />
        <div className={styles.person}>
          <ThemeButton />
          <span className={styles.name}>{name}</span>
          <Button onClick={() => void signOut()}>Sign out</Button>
        </div>
      </header>
      <nav className={styles.nav} aria-label="Main">
        {ENTRIES.map(({ to, label, icon: Icon, exact }) => (
          <Link key={to} to={to} className={styles.entry} activeOptions={{ exact: exact ?? false }}>
            <Icon size={18} aria-hidden />
            <span>{label}</span>
          </Link>
        ))}
      </nav>
      <main id="content" className={styles.main}>
        <Outlet />
      </main>
      {helpIsOpen ? <ShortcutHelp close={closeHelp} /> : null}
    </div>
  );
}

// How old what is shown is; loud only where it no longer follows.
function Age() {
  const { dataUpdatedAt, isError } = useQuery(summaryQuery);
  const now = useNow(1000);
  if (dataUpdatedAt === 0) return <span className={styles.age} />;
  const seconds = Math.max(0, Math.round((now - dataUpdatedAt) / 1000));
  const isStale = isError || now - dataUpdatedAt > STALE_MS;
  return (
    <span className={styles.age} role={isStale ? 'alert' : undefined}>
      <span className={isStale ? styles.dotStale : styles.dot} aria-hidden />
      <span className={isStale ? '' : styles.fresh}>
        {isStale ? `Not updated for ${seconds} s` : `as of ${seconds} s ago`}
      </span>
    </span>
  );
}
