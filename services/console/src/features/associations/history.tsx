import { useQuery } from '@tanstack/react-query';
import type { AttemptAnswer } from '../../../../api/contract/associations.ts';
import { historyQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import type { SecretName } from '../secrets/split-path.ts';

const WHY: Record<string, string> = {
  write: 'Secret changed',
  link: 'Linked or synced',
  unlink: 'Unlinked',
  retry: 'Retried',
  destination: 'Destination changed',
  drift: 'Changed in the store',
  name: 'Name became available',
  ledger: 'Rewritten as a precaution',
  schedule: 'Automatic retry',
};

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
                    {line.action} {line.version === null ? '' : `v${line.version}`}{' '}
                    {line.version_by ? <span className={kit.muted}>by {line.version_by}</span> : null}{' '}
                    {line.sub_key ? <code>{line.sub_key}</code> : null}
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

// What is deleted because it should not be there is done, not missing.
function outcomeOf({ action, outcome }: AttemptAnswer): string {
  return action === 'delete' && outcome === 'UNSYNCED' ? 'DELETED' : outcome;
}

function why(trigger: AttemptAnswer['trigger']): string {
  if (!trigger) return 'Unknown';
  const word = WHY[trigger.cause] ?? trigger.cause;
  return trigger.by === null ? word : `${word} by ${trigger.by}`;
}
