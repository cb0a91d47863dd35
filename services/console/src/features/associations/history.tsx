import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import type { SecretName } from '../secrets/split-path.ts';

/** Every attempt, newest first. */
export function History({ type, name, secret }: { type: string; name: string; secret: SecretName }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="history">
      <h2 id="history">History</h2>
      <Loaded query={useQuery(historyQuery(type, name, secret))}>
        {(lines) =>
          lines.length === 0 ? (
            <p className={kit.muted}>Nothing was tried yet.</p>
          ) : (
            <Table columns={['When', 'What', 'Outcome', 'Took']}>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td>
                    <Time at={line.at} />
                  </td>
                  <td>
                    {line.action} {line.version === null ? '' : `v${line.version}`}{' '}
                    {line.version_by ? <span className={kit.muted}>written by {line.version_by}</span> : null}{' '}
                    {line.sub_key ? <code>{line.sub_key}</code> : null}
                  </td>
                  <td>
                    <Status status={line.outcome} />
                    {line.cause ? <p className={kit.muted}>{line.cause.message}</p> : null}
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
