import { useState, type ReactNode } from 'react';
import kit from '../kit.module.css';
import styles from './fold.module.css';
import { useNarrow } from './narrow.ts';

/** A part of a page under its heading. On a phone it is folded until the user opens it, so that what comes first stays short. */
export function Fold({
  title,
  isAlways = false,
  isOpenFirst = false,
  children,
}: {
  title: string;
  /** It is folded on wide pages too. */
  isAlways?: boolean;
  isOpenFirst?: boolean;
  children: ReactNode;
}) {
  const isNarrow = useNarrow();
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  const heading = <h2>{title}</h2>;
  if (!isNarrow && !isAlways)
    return (
      <>
        {heading}
        {children}
      </>
    );
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>{heading}</summary>
      <div className={`${kit.stack} ${styles.inside}`}>{children}</div>
    </details>
  );
}
