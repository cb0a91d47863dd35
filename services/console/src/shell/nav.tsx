import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useNarrow } from '../kit/narrow/narrow.ts';
import { useAllowedEntries } from './allowed-entries.ts';
import { Me } from './me.tsx';
import { isIn, pagePathOf } from './entries.ts';
import styles from './shell.module.css';

/**
 * The pages that the user has a right to. On a narrow screen they are a strip, which fades where it goes on and shows the
 * entry of the page; on a phone it ends with the name of the user, for which the header has no room.
 */
export function Nav({ name }: { name: string }) {
  const nav = useRef<HTMLElement>(null);
  const [more, setMore] = useState('');
  const entries = useAllowedEntries() ?? [];
  const isNarrow = useNarrow();
  const count = entries.length;
  const { pathname } = useLocation();
  const path = pagePathOf(pathname);
  useEffect(() => {
    const strip = nav.current;
    if (!strip) return undefined;
    const measure = (): void => setMore(moreOf(strip));
    const active = strip.querySelector<HTMLElement>('[data-here="true"]');
    if (active) strip.scrollLeft = active.offsetLeft - (strip.clientWidth - active.offsetWidth) / 2;
    measure();
    strip.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      strip.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [pathname, count]);
  return (
    <div className={styles.strip}>
      <nav ref={nav} className={styles.nav} aria-label="Main" data-more={more}>
        {entries.map((entry) => {
          const { to, label, icon: Icon } = entry;
          const isHere = isIn(path, entry);
          return (
            <Link
              key={to}
              to={to}
              className={styles.entry}
              data-here={isHere}
              aria-current={isHere ? 'page' : undefined}
            >
              <Icon size={18} aria-hidden />
              <span>{label}</span>
            </Link>
          );
        })}
        {isNarrow && name !== '' ? (
          <div className={styles.who}>
            Signed in as <Me name={name} />
          </div>
        ) : null}
      </nav>
    </div>
  );
}

// On which sides the strip goes on.
function moreOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): string {
  const isMore = { start: scrollLeft > 1, end: scrollLeft + clientWidth < scrollWidth - 1 };
  return Object.entries(isMore)
    .filter(([, is]) => is)
    .map(([side]) => side)
    .join(' ');
}
