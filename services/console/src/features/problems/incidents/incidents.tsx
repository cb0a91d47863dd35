import { useInfiniteQuery } from '@tanstack/react-query';
import type { IncidentAnswer, IncidentsAnswer } from '../../../../../api/contract/summary.ts';
import { readAllowed } from '../../../api/rights.ts';
import { destinationPath } from '../../../api/queries.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import { useNarrow } from '../../../kit/narrow/narrow.ts';
import { Empty, Loaded } from '../../../kit/page.tsx';
import { LoadMore } from '../../../kit/pages.tsx';
import { Status, statusByCause } from '../../../kit/status.tsx';
import { spanFaults, spanText } from '../../../kit/picker/span.ts';
import { Table } from '../../../kit/table.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { describeSeconds, describeTime, Time } from '../../../kit/time.tsx';
import { CauseText } from '../cause-text.tsx';
import { titleOfCause } from '../../../../../../libs/telling/cause-titles.ts';
import { CauseTitle } from '../cause-title.tsx';
import { Told } from './incident-alerts.tsx';
import { IncidentEnd } from './incident-end.tsx';
import { Doings, ExampleLink, FailingLinks, IncidentDestination } from './incident-links.tsx';

type Destination = { type: string; name: string };

/** Which incidents a timeline shows; empty: all. Times are local, as the browser's fields have them. */
export type ShownIncidents = {
  since?: string | undefined;
  until?: string | undefined;
  cause?: string | undefined;
  open?: boolean | undefined;
};

const incidentsQuery = (destination: Destination | null, filter: ShownIncidents) => ({
  queryKey: ['incidents', destination, filter],
  queryFn: ({ pageParam: after, signal }: { pageParam: number | null; signal: AbortSignal }) => {
    const query = new URLSearchParams();
    for (const name of ['since', 'until'] as const) {
      const given = filter[name];
      if (given) query.set(name, new Date(given).toISOString());
    }
    if (filter.cause) query.set('cause', filter.cause);
    if (filter.open) query.set('open', 'true');
    if (after !== null) query.set('after', String(after));
    const base = destination ? destinationPath(destination.type, destination.name) : 'sys/sync';
    return readAllowed<IncidentsAnswer>(`${base}/incidents?${query.toString()}`, {
      background: true,
      signal,
    });
  },
  initialPageParam: null as number | null,
  getNextPageParam: ({ next_after: next }: IncidentsAnswer) => next,
});

type Props = { destination?: Destination | null; filter: ShownIncidents; clear: () => void };

/** What failed, from when until when, and how it ended; the latest first. Without a destination: at all of them. */
export function Incidents(props: Props) {
  // Without this, what lasted all the time would be in a span that ends before it begins.
  return spanFaults(props.filter).title ? <None {...props} /> : <Found {...props} />;
}

function Found({ destination = null, filter, clear }: Props) {
  const query = useInfiniteQuery(incidentsQuery(destination, filter));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const incidents = pages.flatMap((page) => page.incidents);
        if (incidents.length === 0) return <None filter={filter} clear={clear} />;
        return (
          <>
            <Table columns={['Problem', 'When', 'Links', 'Outcome']}>
              {incidents.map((incident) => (
                <Row key={incident.id} incident={incident} isNamed={!destination} />
              ))}
            </Table>
            <LoadMore query={query} />
          </>
        );
      }}
    </Loaded>
  );
}

function None({ filter, clear }: Pick<Props, 'filter' | 'clear'>) {
  const { cause, open } = filter;
  const text = [
    open ? 'open incident' : 'incident',
    spanText(filter),
    cause ? `with the cause “${titleOfCause(cause)}”` : '',
  ];
  if (!Object.values(filter).some(Boolean))
    return <Empty title="No incidents">What fails is listed here, also after it has ended.</Empty>;
  const action = <Button onClick={clear}>Clear the filter</Button>;
  const { title } = spanFaults(filter);
  if (title) return <Empty title={title} action={action} />;
  return (
    <Empty title="No matching incidents" action={action}>
      There is no {text.filter(Boolean).join(' ')}.
    </Empty>
  );
}

function Row({ incident, isNamed }: { incident: IncidentAnswer; isNamed: boolean }) {
  const { cause, opened_at: opened, closed_at: closed, associations, most } = incident;
  const isNarrow = useNarrow();
  return (
    <tr>
      <td className={kit.self}>
        <div className={kit.row}>
          <Status status={statusByCause(cause.class, cause)} />
          {isNamed ? <IncidentDestination destination={incident.destination} /> : null}
        </div>
        <CauseTitle code={cause.code} />
        {/* On a phone an incident must fit beside others. */}
        {isNarrow ? null : (
          <CauseText type={incident.destination?.type} cause={cause} links={closed ? most : associations} />
        )}
      </td>
      <td>
        <Time at={opened} />
        <p className={kit.small}>
          {closed ? (
            <span className={kit.muted}>
              until {describeTime(closed)}, lasted {lengthOf(opened, closed)}
            </span>
          ) : (
            <strong>Open</strong>
          )}
        </p>
        <Doings incident={incident} />
      </td>
      <td>
        {closed ? counted(most, 'link') : <FailingLinks incident={incident} />}
        {closed || most === associations ? null : (
          <p className={`${kit.small} ${kit.muted}`}>{most.toLocaleString('en')} at most</p>
        )}
        <ExampleLink incident={incident} />
      </td>
      <td>
        <IncidentEnd incident={incident} />
        <Told incident={incident} />
      </td>
    </tr>
  );
}

function lengthOf(opened: string | Date, closed: string | Date): string {
  return describeSeconds((new Date(closed).getTime() - new Date(opened).getTime()) / 1000);
}
