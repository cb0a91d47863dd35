import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Fragment, lazy, Suspense } from 'react';
import { summaryQuery } from '../api/summary.ts';
import { useNow } from '../kit/time.tsx';
import { signOut, useSession } from '../session/session.ts';
import { Button } from '../kit/button.tsx';
import kit from '../kit/kit.module.css';
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx';
import { ENTRIES } from './entries.ts';
import { NamespaceSwitch } from './namespace-switch.tsx';
import styles from './shell.module.css';
import { ThemeButton } from './theme.tsx';

const STALE_MS = 25_000;

const Palette = lazy(() => import('./palette.tsx'));

/** The frame of every page. */
export function Shell() {
  const session = useSession();
  const { opened, open } = useShortcuts();
  const { display_name: name = '', namespace_path: home = '' } = 'session' in session ? session.session : {};
  const { ns } = useSearch({ from: '__root__' });
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
        <Button
          className={kit.icon}
          aria-label="Search"
          title="Search  Ctrl K"
          onClick={() => open('search')}
        >
          <Search size={16} aria-hidden />
        </Button>
        <NamespaceSwitch home={home.replace(/\/$/, '')} />
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
        <Fragment key={ns}>
          <Outlet />
        </Fragment>
      </main>
      {opened === 'help' ? <ShortcutHelp close={() => open(null)} /> : null}
      {opened === 'search' ? (
        <Suspense fallback={null}>
          <Palette close={() => open(null)} showKeys={() => open('help')} />
        </Suspense>
      ) : null}
    </div>
  );
}

// The age of the data on the page. It stands out only if the data are no longer updated.
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
        {isStale ? `Not updated since ${clock(dataUpdatedAt)}` : `as of ${seconds} s ago`}
      </span>
    </span>
  );
}

function clock(time: number): string {
  return new Date(time).toLocaleTimeString();
}
