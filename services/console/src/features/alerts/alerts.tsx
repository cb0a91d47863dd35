import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AlertStateAnswer } from '../../../../api/contract/alerts.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { useAllowed } from '../../kit/rights/allowed.ts';
import { Guarded } from '../../kit/rights/guarded.tsx';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { statusQuery } from '../status/queries.ts';
import { alertsQuery, RULE_CREATION } from './queries.ts';
import { CHANNELS } from './words.ts';

const STATUS = [{ right: { path: 'sys/status', capability: 'read' } }];
const LIST = { path: 'sys/alerts', capability: 'list' };

/** The rules that say who is told what, and when. */
export function Alerts() {
  const create = (
    <Guarded right={RULE_CREATION} label="Create a rule" kind="primary">
      <Link to="/new-alert" className={`${kit.button} ${kit.primary}`}>
        Create a rule
      </Link>
    </Guarded>
  );
  return (
    <Page
      title="Alerts"
      rights={[LIST]}
      parts={[RULE_CREATION]}
      about="Notifications by email or webhook when secrets can’t be synced for a while."
      actions={create}
    >
      <NoWorker />
      <Loaded query={useQuery(alertsQuery)}>
        {(rules) =>
          rules.length === 0 ? (
            <Empty title="No rules yet" action={create}>
              No one is notified when a sync fails.
            </Empty>
          ) : (
            <Table columns={['Rule', 'Sends to', 'State', 'Last delivered']}>
              {rules.map((rule) => (
                <Row key={rule.name} rule={rule} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Page>
  );
}

// The maintenance worker sends them. Who may not see the status is told nothing.
function NoWorker() {
  const maySee = useAllowed(STATUS)?.length === 1;
  const { data } = useQuery({ ...statusQuery, enabled: maySee });
  const worker = data?.workers?.find(({ name }) => name === 'key-maintenance');
  if (worker?.running !== 0) return null;
  return <Notice tone="person">No key-maintenance worker is running, so no alerts are sent.</Notice>;
}

function Row({ rule }: { rule: AlertStateAnswer & { name: string } }) {
  const { name, channel, recipients, last_delivered: last } = rule;
  return (
    <tr>
      <td>
        <Link to="/alerts/$name" params={{ name }}>
          {name}
        </Link>
        {rule.read_only ? <span className={kit.chip}>from the environment</span> : null}
      </td>
      <td>
        {CHANNELS[channel]}
        <p className={`${kit.small} ${kit.muted}`}>{recipients.join(', ')}</p>
      </td>
      <td>
        <State rule={rule} />
      </td>
      <td>{last ? <Time at={last} /> : <span className={kit.muted}>never</span>}</td>
    </tr>
  );
}

function State({ rule: { enabled, failing, held, muted_until: until } }: { rule: AlertStateAnswer }) {
  if (!enabled) return <span className={kit.muted}>Off</span>;
  return (
    <>
      {until ? (
        <>
          Muted, ends <Time at={until} />
        </>
      ) : failing === null ? (
        'On'
      ) : (
        <span className={kit.fault}>Failing: {failing}</span>
      )}
      {held > 0 ? <p className={`${kit.small} ${kit.muted}`}>{counted(held, 'notification')} held</p> : null}
    </>
  );
}
