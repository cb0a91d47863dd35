import type { ReactNode } from 'react';
import { actorText } from '../../../../../libs/telling/actor.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { PathText } from '../../kit/text/path-text.tsx';
import { Table } from '../../kit/table.tsx';
import {
  changeBehind,
  changeWords,
  isFallback,
  TAKEN_OUTCOMES,
  triggerText,
  type SecretChange,
} from '../../../../../libs/telling/attempts.ts';
import { foldRetries, joinConfirmed, WRITES, type Confirmed } from './folding.ts';
import { RetriesText } from './retries-text.tsx';
import { partsOfMessage, titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import { CauseText } from '../problems/cause-text.tsx';
import { statusOfAttempt } from './attempt-status.ts';
import { AttemptWords, EntryName, isOfGone, WaitedText } from './attempt-words.tsx';
import { useAttempts, type LinkAttempt } from './attempts.ts';
import type { SecretName } from '../secrets/split-path.ts';

type Props = {
  type: string;
  name: string;
  secret: SecretName;
  /** What the page says already about the cause that lasts. */
  said: string | undefined;
};

/** Every attempt, newest first; the retries of an outage are one line. */
export function History({ said, ...linked }: Props) {
  const query = useAttempts(linked);
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="history">
      <h2 id="history">History</h2>
      <Loaded query={query}>
        {({ pages }) => {
          const lines = joinConfirmed(pages.flat());
          if (lines.length === 0) return <p className={kit.muted}>No attempts yet.</p>;
          const newlySaid = sayingMore(lines, said);
          return (
            <>
              <Table columns={['When', 'Why', 'What', 'Outcome', 'Duration']}>
                {foldRetries(lines, query.hasNextPage).map((row) => {
                  const [line = null] = row.kind === 'retries' ? row.attempts : [row];
                  if (line === null) return null;
                  const what = <What line={line} />;
                  return (
                    <Row key={line.id} type={linked.type} line={line} isNews={newlySaid.has(line.id)}>
                      {row.kind === 'retries' ? (
                        <RetriesText type={linked.type} of={row}>
                          {what}
                        </RetriesText>
                      ) : (
                        what
                      )}
                    </Row>
                  );
                })}
              </Table>
              <LoadMore query={query} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

// `isNews`: what its cause says stands nowhere above. `children`: what was tried.
function Row({
  type,
  line,
  isNews,
  children,
}: {
  type: string;
  line: LinkAttempt;
  isNews: boolean;
  children: ReactNode;
}) {
  return (
    <tr>
      <td>
        <Time at={line.at} />
      </td>
      <td>
        <PathText path={why(line)} />
        <WaitedText of={line} />
      </td>
      <td>{children}</td>
      <td>
        <Status status={statusOfAttempt(line)} />
        {isNews ? <CauseText type={type} cause={line.cause} /> : <CauseName cause={line.cause} />}
      </td>
      <td className={kit.muted}>{FINDINGS.has(line.action) ? '–' : `${line.ms} ms`}</td>
    </tr>
  );
}

const DECISIONS = new Set(['adopt', 'overwrite']);

// The lines whose cause neither the page nor a newer line has told in the same words.
function sayingMore(lines: LinkAttempt[], said: string | undefined): Set<number> {
  const knownTexts = new Set(said === undefined ? [] : [partsOfMessage(said).text]);
  const more = lines.filter(({ action, cause }) => {
    const text = cause && partsOfMessage(cause.message).text;
    // What became of a decision belongs to it.
    const isDropped = DECISIONS.has(action) && cause?.code === 'conflict';
    if (text === null || (knownTexts.has(text) && !isDropped)) return false;
    knownTexts.add(text);
    return true;
  });
  return new Set(more.map(({ id }) => id));
}

function CauseName({ cause }: Pick<LinkAttempt, 'cause'>) {
  return cause ? <p className={kit.muted}>{titleOfCause(cause.code)}</p> : null;
}

function What({ line }: { line: LinkAttempt & Confirmed }) {
  const { version_by: author, again } = line;
  return (
    <>
      <AttemptWords attempt={line} />
      {author && !isOfGone(line) ? <span className={kit.muted}> (saved by {actorText(author)})</span> : null}
      <EntryName name={line.external_name} />
      {again === undefined ? null : (
        <p className={`${kit.small} ${kit.muted}`}>
          Written once more <Time at={again} />, over whatever the entry had then, because an earlier call
          could still have taken effect.
        </p>
      )}
    </>
  );
}

// A comparison has found them: nothing was tried.
const FINDINGS = new Set(['changed', 'missing', 'recovered']);

const REMOVALS = new Set(['delete', 'gone']);

// The secret was changed so that nothing is left to sync.
function hasNoVersion({ trigger, action, version }: LinkAttempt): boolean {
  return trigger === 'write' && REMOVALS.has(action) && version === null;
}

function why(attempt: LinkAttempt): string {
  const { trigger, by } = attempt;
  if (trigger === null) return 'Unknown';
  const change = changeBehind(attempt);
  const word = change ? changeText(change) : hasNoVersion(attempt) ? 'Version deleted' : triggerText(trigger);
  return by === null ? word : `${word} by ${actorText(by)}`;
}

function changeText(change: SecretChange): string {
  const { what, deed } = changeWords(change);
  return `${change.versions ? what : 'Secret'} ${deed}`;
}

const TAKEN = new Set(TAKEN_OUTCOMES);

type Leaving = { version: number | null; isDone: boolean };

/**
 * When the store last changed, and why, unless a version was saved. A link also changes when somebody asks to sync it, which need
 * not write anything. `leaving`: that its entries are to be gone from the store, with the version of its secret since then.
 */
export function LastChange({ leaving, ...linked }: Omit<Props, 'said'> & { leaving: Leaving | undefined }) {
  const attempts = useAttempts(linked).data?.pages.flat() ?? [];
  const isDeletion = ({ action, version }: LinkAttempt): boolean =>
    action === 'delete' && version === leaving?.version;
  const index = attempts.findIndex(
    (attempt) => TAKEN.has(attempt.outcome) && (WRITES.has(attempt.action) || isDeletion(attempt)),
  );
  const last = attempts[index];
  // A deletion that got no answer may have deleted it: nobody knows when.
  if (!last || (leaving?.isDone && !isDeletion(last))) return null;
  // A retry does not tell itself what it is for.
  const first = attempts.slice(index).find(({ trigger }) => trigger !== 'schedule');
  return (
    <span className={kit.muted}>
      {isDeletion(last) ? 'Deleted in the store' : 'Last written'} <Time at={last.at} />
      {first?.version === last.version ? reasonOf(first) : null}
    </span>
  );
}

function reasonOf(attempt: LinkAttempt): string | null {
  const change = changeBehind(attempt);
  if (!change) return null;
  const { what, deed } = changeWords(change);
  const back = isFallback(attempt) ? ` back to v${attempt.version}` : '';
  return `,${back} because ${attempt.by === null ? 'someone' : actorText(attempt.by)} ${deed} ${what}`;
}
