import { Link } from '@tanstack/react-router';
import { triggerText } from '../../../../../libs/telling/attempts.ts';
import kit from '../../kit/kit.module.css';
import { Status } from '../../kit/status.tsx';
import { PathText } from '../../kit/text/path-text.tsx';
import { statusOfAttempt } from '../associations/attempt-status.ts';
import { AttemptWords, EntryName, WaitedText } from '../associations/attempt-words.tsx';
import type { Push, Retries, SecretPush } from '../associations/folding.ts';
import { RetriesText } from '../associations/retries-text.tsx';
import { StoreLink } from '../audit/store-link.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import { ActivityRow, Doer } from './activity-table.tsx';

/** An attempt at an entry in a store, or the retries of one outage, which can be opened. */
export function AttemptRow({ of: row }: { of: Push | SecretPush | Retries<Push | SecretPush> }) {
  const [newest] = row.kind === 'retries' ? row.attempts : [row];
  if (!newest) return null;
  const what = <What attempt={newest} />;
  return (
    <ActivityRow
      at={row.at}
      who={<By attempt={newest} />}
      what={
        row.kind === 'retries' ? (
          <RetriesText type={newest.destination?.type} of={row}>
            {what}
          </RetriesText>
        ) : (
          what
        )
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

// The page of a destination says which it is, and that of a secret which secret.
function What({ attempt }: { attempt: Push | SecretPush }) {
  const { destination } = attempt;
  const isOfSecret = 'secret' in attempt;
  const place = destination ? <StoreLink {...destination} /> : 'a deleted destination';
  return (
    <>
      {isOfSecret ? <SecretLink attempt={attempt} /> : null}
      <AttemptWords attempt={attempt} place={isOfSecret ? undefined : place} />
      <EntryName name={attempt.external_name} />
      <WaitedText of={attempt} />
    </>
  );
}

function SecretLink({ attempt: { secret, destination } }: { attempt: SecretPush }) {
  const { mount, path } = secret;
  if (mount === null || !destination)
    return (
      <p>
        <PathText path={path} /> <span className={kit.muted}>of a mount that is no longer here</span>
      </p>
    );
  const full = `${mount}/${path}`;
  return (
    <p>
      <Link to="/destinations/$type/$name/secret/$" params={{ ...destination, _splat: full }}>
        <PathText path={full} />
      </Link>
    </p>
  );
}

function Outcome({ attempt }: { attempt: Push }) {
  return (
    <>
      <Status status={statusOfAttempt(attempt)} />
      <CauseText type={attempt.destination?.type} cause={attempt.cause} />
    </>
  );
}
