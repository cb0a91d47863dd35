import { triggerText } from '../../../../../libs/telling/attempts.ts';
import kit from '../../kit/kit.module.css';
import { Status } from '../../kit/status.tsx';
import { describeTime } from '../../kit/time.tsx';
import { statusOfAttempt } from '../associations/attempt-status.ts';
import { AttemptWords } from '../associations/attempt-words.tsx';
import { EntryName } from '../associations/entry-name.tsx';
import { StoreLink } from '../associations/store-link.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import { ActivityRow, Doer } from './activity-table.tsx';
import type { Push, Retries } from './attempts.ts';

/** An attempt at an entry in a store. */
export function AttemptRow({ attempt }: { attempt: Push }) {
  return (
    <ActivityRow
      at={attempt.at}
      who={<By attempt={attempt} />}
      what={<What attempt={attempt} />}
      outcome={<Outcome attempt={attempt} />}
    />
  );
}

/** Retries of one outage, which can be opened. */
export function RetriesRow({ of: { at, attempts, isCut } }: { of: Retries }) {
  const [newest] = attempts;
  const oldest = attempts.at(-1);
  if (!newest || !oldest) return null;
  const times = `${attempts.length.toLocaleString('en')} times`;
  return (
    <ActivityRow
      at={at}
      who={<By attempt={newest} />}
      what={
        <>
          <p>
            Retried {times}
            {isCut ? ' or more' : ''}, {betweenText(oldest.at, newest.at)}
          </p>
          <What attempt={newest} />
          <details className={kit.small}>
            <summary className={kit.touch}>Show each attempt</summary>
            <ul>
              {attempts.map((attempt) => (
                <li key={attempt.at}>
                  {describeTime(attempt.at)}
                  <CauseText cause={attempt.cause} />
                </li>
              ))}
            </ul>
          </details>
        </>
      }
      outcome={<Outcome attempt={newest} />}
    />
  );
}

// The column of times has the day of the newest, and the zone.
function betweenText(oldest: string, newest: string): string {
  const [from, to] = [new Date(oldest), new Date(newest)];
  if (from.toDateString() !== to.toDateString()) return `${describeTime(from)} to ${describeTime(to)}`;
  const clock = (time: Date): string => time.toLocaleTimeString('en-GB', { timeStyle: 'medium' });
  return `${clock(from)} to ${clock(to)}`;
}

// Nobody causes an automatic retry, and the reader asks why it was made.
function By({ attempt: { by, trigger } }: { attempt: Push }) {
  if (by !== null) return <Doer name={by} />;
  return trigger === null ? '–' : <span className={kit.muted}>{triggerText(trigger)}</span>;
}

function What({ attempt }: { attempt: Push }) {
  const { destination } = attempt;
  return (
    <>
      <AttemptWords
        attempt={attempt}
        place={destination ? <StoreLink {...destination} /> : 'a deleted destination'}
      />
      <EntryName name={attempt.external_name} />
    </>
  );
}

function Outcome({ attempt }: { attempt: Push }) {
  return (
    <>
      <Status status={statusOfAttempt(attempt)} />
      <CauseText cause={attempt.cause} />
    </>
  );
}
