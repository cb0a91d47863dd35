import { useQuery } from '@tanstack/react-query';
import type { AlertDeliveryAnswer } from '../../../../api/contract/alerts.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { isMailOff, MailOff } from './mail-off.tsx';
import { deliveriesQuery } from './queries.ts';
import { aboutText, HAPPENINGS, OUTCOMES } from './words.ts';

/** What became of the last messages of a rule. */
export function Deliveries({ name }: { name: string }) {
  return (
    <section className={`${kit.stack} ${kit.tight}`}>
      <h2>Last deliveries</h2>
      <Loaded query={useQuery(deliveriesQuery(name))}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className={kit.muted}>Nothing was sent yet.</p>
          ) : (
            <Table columns={['When', 'What', 'To', 'Outcome']}>
              {deliveries.map((one) => (
                <Row key={`${one.id} ${one.recipient}`} delivery={one} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </section>
  );
}

function Row({ delivery }: { delivery: AlertDeliveryAnswer }) {
  const { happenings, about, recipient, outcome, detail, tried_at: tried, next_try_at: next } = delivery;
  const nameOf = useDestinationName();
  const kinds = [...new Set(happenings)];
  return (
    <tr>
      <td>
        <Time at={tried ?? delivery.queued_at} />
      </td>
      <td>
        {kinds.map((kind) => HAPPENINGS[kind] ?? kind).join(', ')}
        {about.map((one) => (
          <p key={one} className={`${kit.small} ${kit.muted}`}>
            {aboutText(one, kinds, nameOf)}
          </p>
        ))}
        {happenings.length > 1 ? (
          <p className={`${kit.small} ${kit.muted}`}>{counted(happenings.length, 'notification')}</p>
        ) : null}
      </td>
      <td>{recipient || 'Webhook'}</td>
      <td>
        {OUTCOMES[outcome]}
        {detail && outcome !== 'delivered' ? (
          <p className={`${kit.small} ${kit.muted}`}>
            {isMailOff(detail) ? (
              <>
                Not sent: <MailOff />
              </>
            ) : (
              detail
            )}
          </p>
        ) : null}
        {next ? (
          <p className={`${kit.small} ${kit.muted}`}>
            Retry <Time at={next} />
          </p>
        ) : null}
      </td>
    </tr>
  );
}
