import { useContext, useEffect, useRef, type ReactNode } from 'react';
import { isMissing } from '../api/failure.ts';
import { refusalOf } from '../api/rights.ts';
import { FailureNotice } from './failure-notice.tsx';
import kit from './kit.module.css';
import { Locked } from './rights/locked.ts';
import { useIsOpen, type PageRights } from './rights/lock.ts';

const GONE = 'This doesn’t exist any more, or you no longer have access.';

/**
 * A page with its heading, which gets the focus when the user comes to the page. Without a right to it, there is only the
 * heading and the rule that is missing.
 */
export function Page({
  title,
  about,
  actions,
  children,
  ...needed
}: PageRights & {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpen = useIsOpen(needed);
  useEffect(() => {
    document.title = `${title} · Sealift`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className={kit.stack}>
      <header className={`${kit.row} ${kit.spread}`}>
        <div className={kit.grow}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about && isOpen ? <div className={kit.muted}>{about}</div> : null}
        </div>
        {actions && isOpen ? <div className={kit.row}>{actions}</div> : null}
      </header>
      {isOpen ? children : null}
      {isOpen === undefined ? <Skeleton /> : null}
      {isOpen === false ? <FailureNotice failure={refusalOf(needed.rights ?? [])} /> : null}
    </div>
  );
}

/**
 * The state of a read: a skeleton, a failure, or the data. If a later read fails, the old data stay, in grey. If the thing is
 * gone by then, what was typed stays too, but nothing can be done about the thing any more.
 */
export function Loaded<Data>({
  query,
  children,
  instead,
}: {
  query: {
    data: Data | undefined;
    error: unknown;
    isPending: boolean;
    refetch: () => unknown;
  };
  children: (data: Data) => ReactNode;
  /** Shown instead of a failure. */
  instead?: ReactNode;
}) {
  const { data, error, isPending, refetch } = query;
  const lock = useContext(Locked);
  if (isPending) return <Skeleton />;
  const isGone = data !== undefined && isMissing(error);
  return (
    <>
      {error
        ? (instead ?? (
            <FailureNotice
              failure={isGone ? GONE : error}
              retry={isGone ? undefined : () => void refetch()}
            />
          ))
        : null}
      {data === undefined ? null : (
        <div className={`${kit.stack} ${error ? kit.stale : ''}`}>
          <Locked value={isGone ? GONE : lock}>{children(data)}</Locked>
        </div>
      )}
    </>
  );
}

export function Skeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div className={kit.stack} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={kit.skeleton} />
      ))}
    </div>
  );
}

/** Shown if there is nothing: says what would be here, and offers one action. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={`${kit.card} ${kit.empty}`}>
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}
