import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { destinationHistoryQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { PathText } from '../../kit/text/path-text.tsx';
import { Time } from '../../kit/time.tsx';
import { Incidents } from '../problems/incidents.tsx';
import { DestinationPage } from './destination-page.tsx';

const route = getRouteApi('/destinations/$type/$name/history');

const WORDS: Record<string, string> = {
  replace: 'Created or replaced the destination',
  change: 'Changed the destination',
  delete: 'Deleted the destination',
  link: 'Linked',
  unlink: 'Unlinked',
  retry: 'Retried',
  pause: 'Paused',
  resume: 'Resumed',
};

const OUTCOMES: Record<string, string> = { succeeded: 'Succeeded', refused: 'Refused', failed: 'Failed' };

/** What failed at a destination, and who changed it or what is linked to it. */
export function DestinationHistory() {
  const { type, name } = route.useParams();
  return (
    <DestinationPage type={type} name={name}>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="incidents">
        <h2 id="incidents">Incidents</h2>
        <Incidents destination={{ type, name }} filter={{}} />
      </section>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        <Loaded query={useQuery(destinationHistoryQuery(type, name))}>
          {(lines) =>
            lines.length === 0 ? (
              <Empty title="No changes recorded">The audit trail is kept for a limited time.</Empty>
            ) : (
              <Table columns={['When', 'Who', 'What', 'Outcome']}>
                {lines.map((line) => (
                  <tr key={line.id}>
                    <td>
                      <Time at={line.at} />
                    </td>
                    <td>{line.actor.replace(/^token-/, '')}</td>
                    <td>
                      {wordOf(line)} <Detail detail={line.detail} />
                    </td>
                    <td className={kit.muted}>{OUTCOMES[line.outcome] ?? 'End not recorded'}</td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Loaded>
      </section>
    </DestinationPage>
  );
}

// One request links a secret, and decides about the entry of a link.
function wordOf({ action, detail }: { action: string; detail: Record<string, unknown> | null }): string {
  const { link, conflict_policy: policy, secret_name_template: template } = detail ?? {};
  if (action === 'link' && link !== 'created') {
    if (policy === 'adopt') return 'Adopted the entry of';
    if (policy === 'overwrite') return 'Overwrote the entry of';
    if (typeof template === 'string') return 'Renamed the entry of';
  }
  return WORDS[action] ?? action;
}

function Detail({ detail }: { detail: Record<string, unknown> | null }) {
  const { changed, secret, change, ...counts } = detail ?? {};
  const fields = change === 'updated' ? Object.keys(changed ?? {}) : [];
  const rest = Object.entries(counts)
    .filter(([, count]) => typeof count === 'number')
    .map(([outcome, count]) => `${String(count)} ${outcome.replace('_', ' ')}`);
  const texts = [...fields, ...rest];
  return (
    <>
      {typeof secret === 'string' ? (
        <Link to="/secrets/$" params={{ _splat: secret }}>
          <PathText path={secret} />
        </Link>
      ) : null}{' '}
      {texts.length > 0 ? <span className={kit.muted}>({texts.join(', ')})</span> : null}
    </>
  );
}
