import type { ReactNode } from 'react';
import kit from '../../kit/kit.module.css';
import { describeTime } from '../../kit/time.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import type { Retries } from './folding.ts';

/** How often and when an entry was tried again, and each attempt to open. `children`: what was tried. */
export function RetriesText({
  type,
  of: { attempts, isCut },
  children,
}: {
  /** That of the destination. */
  type: string | undefined;
  of: Retries;
  children: ReactNode;
}) {
  const [newest] = attempts;
  const oldest = attempts.at(-1);
  if (!newest || !oldest) return null;
  const times = `${attempts.length.toLocaleString('en')} times`;
  return (
    <>
      <p>
        Retried {times}
        {isCut ? ' or more' : ''}, {betweenText(oldest.at, newest.at)}
      </p>
      {children}
      <details className={kit.small}>
        <summary className={kit.touch}>Show each attempt</summary>
        <ul>
          {attempts.map((attempt) => (
            <li key={attempt.at}>
              {describeTime(attempt.at)}
              <CauseText type={type} cause={attempt.cause} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

// The column of times has the day of the newest, and the zone.
function betweenText(oldest: string, newest: string): string {
  const [from, to] = [new Date(oldest), new Date(newest)];
  if (from.toDateString() !== to.toDateString()) return `${describeTime(from)} to ${describeTime(to)}`;
  const clock = (time: Date): string => time.toLocaleTimeString('en-GB', { timeStyle: 'medium' });
  return `${clock(from)} to ${clock(to)}`;
}
