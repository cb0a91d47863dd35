import { useQuery } from '@tanstack/react-query';
import type { AttemptAnswer } from '../../../../api/contract/associations.ts';
import { historyQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import { attemptText, triggerText } from '../../../../../libs/telling/attempts.ts';
import { CauseText } from '../problems/cause-text.tsx';
import type { SecretName } from '../secrets/split-path.ts';

/** Every attempt, newest first. */
export function History({ type, name, secret }: { type: string; name: string; secret: SecretName }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="history">
      <h2 id="history">History</h2>
      <Loaded query={useQuery(historyQuery(type, name, secret))}>
        {(lines) =>
          lines.length === 0 ? (
            <p className={kit.muted}>No attempts yet.</p>
          ) : (
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
                    <Status status={outcomeOf(line)} />
                    <CauseText cause={line.cause} />
                  </td>
                  <td className={kit.muted}>{line.ms} ms</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}

function What({ line }: { line: AttemptAnswer }) {
  const { version, version_by: author, sub_key: key } = line;
  return (
    <>
      {attemptText(line)} {version === null ? '' : `v${version}`}
      {key ? (
        <>
          {version === null ? 'key' : ' of key'} <code>{key}</code>
        </>
      ) : null}
      {author ? <span className={kit.muted}> (saved by {author.replace(/^token-/, '')})</span> : null}
    </>
  );
}

// What is deleted because it should not be there is done, not missing.
function outcomeOf({ action, outcome }: AttemptAnswer): string {
  return action === 'delete' && outcome === 'UNSYNCED' ? 'DELETED' : outcome;
}

function why(trigger: AttemptAnswer['trigger']): string {
  if (!trigger) return 'Unknown';
  const word = triggerText(trigger.cause);
  return trigger.by === null ? word : `${word} by ${trigger.by.replace(/^token-/, '')}`;
}
