import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { DestinationEventAnswer } from '../../../../api/contract/destinations.ts';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { fieldNamer } from '../../../../../libs/telling/field-names.ts';
import { outcomeText } from '../../../../../libs/telling/outcome.ts';
import { destinationHistoryQuery, schemasQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import picking from '../../kit/picker/picker.module.css';
import { TimePresets, TimeRange, type TimeSpan } from '../../kit/picker/time-range.tsx';
import { Table } from '../../kit/table.tsx';
import { PathText } from '../../kit/text/path-text.tsx';
import { describeTime, Time } from '../../kit/time.tsx';
import { Incidents } from '../problems/incidents.tsx';
import { DestinationPage } from './destination-page.tsx';

const route = getRouteApi('/destinations/$type/$name/history');

const WORDS: Record<string, [done: string, tried: string]> = {
  replace: ['Changed the destination', 'create or replace the destination'],
  change: ['Changed the destination', 'change the destination'],
  delete: ['Deleted the destination', 'delete the destination'],
  link: ['Linked', 'link'],
  unlink: ['Unlinked', 'unlink'],
  retry: ['Retried', 'retry'],
  pause: ['Paused', 'pause'],
  resume: ['Resumed', 'resume'],
};

/** What failed at a destination, and who changed it or what is linked to it. */
export function DestinationHistory() {
  const { type, name } = route.useParams();
  return (
    <DestinationPage type={type} name={name}>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="incidents">
        <h2 id="incidents">Incidents</h2>
        <Incidents destination={{ type, name }} filter={{}} />
      </section>
      <Changes type={type} name={name} />
    </DestinationPage>
  );
}

function Changes({ type, name }: { type: string; name: string }) {
  const { since, until } = route.useSearch();
  const navigate = route.useNavigate();
  const span = { since, until };
  const set = (change: TimeSpan): void => void navigate({ search: { ...span, ...change }, replace: true });
  const { data: forms } = useQuery(schemasQuery);
  const nameOf = fieldNamer({ action: '', path: `sys/sync/destinations/${type}/${name}` }, forms);
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <div className={`${kit.row} ${picking.filters}`} role="search">
        <TimePresets span={span} set={set} />
        <TimeRange span={span} set={set} />
      </div>
      <Loaded query={useQuery(destinationHistoryQuery({ type, name }, span))}>
        {(lines) =>
          lines.length === 0 ? (
            <NoChanges isSpan={since !== undefined || until !== undefined} />
          ) : (
            <Table columns={['When', 'Who', 'What', 'Outcome']}>
              {lines.map((line) => (
                <tr key={line.id}>
                  <td>
                    <Time at={line.at} />
                  </td>
                  <td>
                    {actorText(line.actor)}
                    {line.address ? <p className={`${kit.small} ${kit.muted}`}>{line.address}</p> : null}
                  </td>
                  <td>
                    {wordOf(line)} <Detail detail={line.detail} nameOf={nameOf} />
                  </td>
                  <td className={kit.muted}>{outcomeText(line)}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}

function NoChanges({ isSpan }: { isSpan: boolean }) {
  if (isSpan) return <Empty title="Nothing was changed in this time" />;
  return <Empty title="No changes recorded">The audit trail is kept for a limited time.</Empty>;
}

// One request links a secret, decides about the entry of a link, and syncs it again.
function wordOf({ action, outcome, detail }: DestinationEventAnswer): string {
  const { change, link, secret, conflict_policy: policy, secret_name_template: template } = detail ?? {};
  const [done, attempt] = WORDS[action] ?? [action, action];
  if (outcome === 'attempted') return `Began to ${attempt}`;
  if (outcome !== 'succeeded') return `Tried to ${attempt}`;
  if (change === 'created') return 'Created the destination';
  if (action === 'link' && link !== 'created') {
    if (policy === 'adopt') return 'Adopted the entry of';
    if (policy === 'overwrite') return 'Overwrote the entry of';
    if (typeof template === 'string') return 'Renamed the entry of';
    if (typeof secret === 'string') return 'Asked to sync';
  }
  return done;
}

function Detail({
  detail,
  nameOf,
}: {
  detail: DestinationEventAnswer['detail'];
  nameOf: (field: string) => string;
}) {
  const { changed, secret, change, reason, until, ...counts } = detail ?? {};
  const fields = change === 'updated' ? Object.keys(changed ?? {}).map(nameOf) : [];
  const rest = Object.entries(counts)
    .filter(([, count]) => typeof count === 'number')
    .map(([outcome, count]) => `${String(count)} ${outcome.replace('_', ' ')}`);
  const texts = [
    ...(typeof reason === 'string' ? [`“${reason}”`] : []),
    ...(typeof until === 'string' ? [`until ${describeTime(until)}`] : []),
    ...fields,
    ...rest,
  ];
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
