import type { ReactNode } from 'react';
import kit from '../../kit/kit.module.css';
import type { useVirtualRows } from './virtual-rows.ts';
import styles from './virtual-list.module.css';

/** Where a row stands: the style puts it there. */
type Place = { index: number; style: { transform: string } };

/** The scroll area of virtual rows, below the titles of the columns. `label` is its name for screen readers. */
export function VirtualList({
  list,
  label,
  columns,
  headStyle,
  children,
}: {
  list: ReturnType<typeof useVirtualRows>;
  label: string;
  columns: string[];
  /** The class of the line of titles. */
  headStyle: string | undefined;
  children: (place: Place) => ReactNode;
}) {
  return (
    <div className={`${kit.card} ${kit.flush}`}>
      <div className={headStyle} aria-hidden>
        {columns.map((title) => (
          <span key={title}>{title}</span>
        ))}
      </div>
      <div
        ref={list.viewport}
        className={styles.viewport}
        role="list"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={list.move}
      >
        <div className={styles.inner} style={{ height: list.height }}>
          {list.items.map(({ key, index, start }) => (
            <div key={key} role="listitem" aria-setsize={list.count} aria-posinset={index + 1}>
              {children({ index, style: { transform: `translateY(${start}px)` } })}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
