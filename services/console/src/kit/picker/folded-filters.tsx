import { useId, useState, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import kit from '../kit.module.css';
import { useNarrow } from '../narrow/narrow.ts';
import styles from './picker.module.css';

/** The filters of a page. On a phone they are folded behind a button that says how many are set. */
export function FoldedFilters({ count, children }: { count: number; children: ReactNode }) {
  const id = useId();
  const isNarrow = useNarrow();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={`${kit.stack} ${kit.tight}`} role="search">
      {isNarrow ? (
        <div>
          <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
            {count === 0 ? 'Filters' : `Filters (${count} set)`}
          </Button>
        </div>
      ) : null}
      {isNarrow && !isOpen ? null : (
        <div id={id} className={`${kit.row} ${styles.filters}`}>
          {children}
        </div>
      )}
    </div>
  );
}
