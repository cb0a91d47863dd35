import { triggerText } from '../../../../../libs/telling/attempts.ts';
import kit from '../../kit/kit.module.css';
import { Status } from '../../kit/status.tsx';
import { statusOfAttempt } from '../associations/attempt-status.ts';
import { AttemptWords } from '../associations/attempt-words.tsx';
import { EntryName } from '../associations/entry-name.tsx';
import type { Push, Retries } from '../associations/folding.ts';
import { RetriesText } from '../associations/retries-text.tsx';
import { StoreLink } from '../associations/store-link.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import { ActivityRow, Doer } from './activity-table.tsx';

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
export function RetriesRow({ of: retries }: { of: Retries }) {
  const [newest] = retries.attempts;
  if (!newest) return null;
  return (
    <ActivityRow
      at={retries.at}
      who={<By attempt={newest} />}
      what={
        <RetriesText of={retries}>
          <What attempt={newest} />
        </RetriesText>
      }
      outcome={<Outcome attempt={newest} />}
    />
  );
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
