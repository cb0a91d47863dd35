import { Link, Outlet, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Fragment, useEffect } from 'react';
import { keepAskingForRights } from '../api/rights.ts';
import { signOut, useSession } from '../session/session.ts';
import { Button } from '../kit/button.tsx';
import kit from '../kit/kit.module.css';
import { useNarrow } from '../kit/narrow/narrow.ts';
import { LeaveGuard } from '../kit/leaving/leave-guard.tsx';
import { Locked } from '../kit/rights/locked.ts';
import { Age, Lost, useFreshness } from './age.tsx';
import { ShortcutHelp, useShortcuts } from './shortcuts.tsx';
import { Landing } from './landing.tsx';
import { Me } from './me.tsx';
import { Nav } from './nav.tsx';
import { NamespaceSwitch } from './namespace-switch.tsx';
import { SearchEverything } from './search/search-everything.tsx';
import styles from './shell.module.css';
import { ThemeButton } from './theme.tsx';

/** The frame of every page. */
export function Shell() {
  useEffect(keepAskingForRights, []);
  const session = useSession();
  const { opened, open } = useShortcuts();
  const { display_name: name = '', namespace_path: own = '' } = 'session' in session ? session.session : {};
  const home = own.replace(/\/$/, '');
  const { ns } = useSearch({ from: '__root__' });
  const freshness = useFreshness();
  const { isStale } = freshness;
  const isNarrow = useNarrow();
  return (
    <div className={`${styles.shell} ${isStale ? styles.lost : ''}`}>
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
        <NamespaceSwitch home={home} />
        <Age {...freshness} />
        <div className={styles.person}>
          <ThemeButton />
          {isNarrow ? null : <Me name={name} />}
          <Button onClick={signOut}>Sign out</Button>
        </div>
        {isStale ? <Lost {...freshness} /> : null}
      </header>
      <Nav name={name} />
      <main id="content" className={`${styles.main} ${isStale ? kit.stale : ''}`}>
        <Locked value={isStale ? 'Connection lost' : ''}>
          <Fragment key={ns}>
            <Landing home={home}>
              <Outlet />
            </Landing>
          </Fragment>
        </Locked>
      </main>
      <LeaveGuard />
      {opened === 'help' ? <ShortcutHelp close={() => open(null)} /> : null}
      {opened === 'search' ? (
        <SearchEverything close={() => open(null)} showKeys={() => open('help')} />
      ) : null}
    </div>
  );
}
