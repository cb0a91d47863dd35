import { PathText } from '../../kit/text/path-text.tsx';
import kit from '../../kit/kit.module.css';
import { describeSeconds, describeTime } from '../../kit/time.tsx';
import type { ReactNode } from 'react';
import type { AttemptAnswer } from '../../../../api/contract/associations.ts';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import { attemptText, isFallback, type SecretChange } from '../../../../../libs/telling/attempts.ts';

type Told = {
  action: string;
  outcome: string;
  sub_key: string;
  version: number | null;
  change?: SecretChange;
};

const FROM = new Set(['delete', 'gone', 'missing']);

/** Whether an attempt is about an entry that goes or is gone, so that it has no version of its own. */
export function isOfGone({ action }: { action: string }): boolean {
  return FROM.has(action);
}

/** What an attempt did to an entry, as a sentence. `place`: its destination, where the page does not say it already. */
export function AttemptWords({ attempt, place }: { attempt: Told; place?: ReactNode }) {
  const { action, sub_key: key, version } = attempt;
  const [before, after] = attemptText(attempt).split('…');
  // What is deleted is an older version, or one of nobody's knowledge.
  const back = isFallback(attempt) ? 'back to ' : '';
  const versionText = version === null || isOfGone(attempt) ? '' : ` (${back}version ${version})`;
  if (action === 'reach')
    return (
      <>
        {before}
        {place ?? 'the store'}
        {versionText}
      </>
    );
  return (
    <>
      {before}
      {key ? (
        <>
          key <code>{key}</code>
        </>
      ) : (
        'the entry'
      )}
      {after}
      {versionText}
      {place ? (
        <>
          {' '}
          {isOfGone(attempt) ? 'from' : 'in'} {place}
        </>
      ) : null}
    </>
  );
}

/** How long an attempt was due before it was made, and what held it back; nothing if it was made at once. */
export function WaitedText({ of: { at, waited } }: { of: Pick<AttemptAnswer, 'at' | 'waited'> }) {
  if (!waited) return null;
  const seconds = (new Date(at).getTime() - new Date(waited.since).getTime()) / 1000;
  return (
    <p className={`${kit.small} ${kit.muted}`}>
      Waited {describeSeconds(seconds)}, since {describeTime(waited.since)}
      {waited.for === null ? null : `: ${titleOfCause(waited.for)}`}
    </p>
  );
}

/** The entry in the store that a line is about; nothing where no name was kept. */
export function EntryName({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <p className={`${kit.small} ${kit.muted}`}>
      Entry{' '}
      <code>
        <PathText path={name} />
      </code>
    </p>
  );
}
