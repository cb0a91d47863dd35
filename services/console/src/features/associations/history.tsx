import { useQuery } from '@tanstack/react-query';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { AttemptAnswer } from '../../../../api/contract/associations.ts';
import { historyQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import { triggerText } from '../../../../../libs/telling/attempts.ts';
import { partsOfMessage } from '../problems/cause-message.ts';
import { titleOfCause } from '../problems/cause-titles.ts';
import { CauseText } from '../problems/cause-text.tsx';
import { statusOfAttempt } from './attempt-status.ts';
import { AttemptWords } from './attempt-words.tsx';
import { EntryName } from './entry-name.tsx';
import type { SecretName } from '../secrets/split-path.ts';

type Props = {
  type: string;
  name: string;
  secret: SecretName;
  /** What the page says already about the cause that lasts. */
  said: string | undefined;
};

/** Every attempt, newest first. */
export function History({ type, name, secret, said }: Props) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="history">
      <h2 id="history">History</h2>
      <Loaded query={useQuery(historyQuery(type, name, secret))}>
        {(lines) => {
          if (lines.length === 0) return <p className={kit.muted}>No attempts yet.</p>;
          const newlySaid = sayingMore(lines, said);
          return (
            <Table columns={['When', 'Why', 'What', 'Outcome', 'Duration']}>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td>
                    <Time at={line.at} />
                  </td>
                  <td>{why(line.trigger)}</td>
                  <td>
                    <What line={line} />
                  </td>
                  <td>
                    <Status status={statusOfAttempt(line)} />
                    {newlySaid.has(line.id) ? (
                      <CauseText cause={line.cause} />
                    ) : (
                      <CauseName cause={line.cause} />
                    )}
                  </td>
                  <td className={kit.muted}>{isFinding(line) ? '–' : `${line.ms} ms`}</td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Loaded>
    </section>
  );
}

// The lines whose cause neither the page nor a newer line has told in the same words.
function sayingMore(lines: AttemptAnswer[], said: string | undefined): Set<number> {
  const knownTexts = new Set(said === undefined ? [] : [partsOfMessage(said).text]);
  const more = lines.filter(({ cause }) => {
    const text = cause && partsOfMessage(cause.message).text;
    if (text === null || knownTexts.has(text)) return false;
    knownTexts.add(text);
    return true;
  });
  return new Set(more.map(({ id }) => id));
}

function CauseName({ cause }: Pick<AttemptAnswer, 'cause'>) {
  return cause ? <p className={kit.muted}>{titleOfCause(cause.code)}</p> : null;
}

function What({ line }: { line: AttemptAnswer }) {
  const { version_by: author } = line;
  return (
    <>
      <AttemptWords attempt={line} />
      {author ? <span className={kit.muted}> (saved by {actorText(author)})</span> : null}
      <EntryName name={line.external_name} />
    </>
  );
}

// A comparison has found drift: nothing was tried.
function isFinding({ action }: AttemptAnswer): boolean {
  return action === 'changed' || action === 'missing';
}

function why(trigger: AttemptAnswer['trigger']): string {
  if (!trigger) return 'Unknown';
  const word = triggerText(trigger.cause);
  return trigger.by === null ? word : `${word} by ${actorText(trigger.by)}`;
}
