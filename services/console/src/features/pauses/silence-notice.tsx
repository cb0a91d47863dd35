import { Link } from '@tanstack/react-router';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { useVendors } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { useAllowed } from '../../kit/rights/allowed.ts';
import { counted } from '../../kit/text/counted.ts';
import { Lasting, useNow } from '../../kit/time.tsx';
import { findSilences } from './silence.ts';

const MOST_NAMED = 3;
const STATUS = [{ right: { path: 'sys/status', capability: 'read' } }];

/** Says which stores have no worker, and whose changes wait; empty if there is no such store. */
export function useSilence(destinations: DestinationSummaryAnswer[]): string {
  const vendorOf = useVendors();
  return findSilences(destinations, useNow())
    .map(({ type, names }) => {
      const rest = names.length > MOST_NAMED ? ` and ${counted(names.length - MOST_NAMED, 'other')}` : '';
      const vendor = vendorOf(type) || type;
      return `No worker responds for ${vendor}; changes to ${names.slice(0, MOST_NAMED).join(', ')}${rest} are queued.`;
    })
    .join(' ');
}

/** The same as a notice, with since when, and what to do. */
export function SilenceNotice({ destinations }: { destinations: DestinationSummaryAnswer[] }) {
  const silence = useSilence(destinations);
  const silences = findSilences(destinations, useNow());
  const mayFix = useAllowed(STATUS)?.length === 1;
  if (silence === '') return null;
  return (
    <Notice tone="person">
      <div className={`${kit.row} ${kit.spread}`} role="alert">
        <div>
          <p>
            <strong>{silence}</strong>
          </p>
          {silences.map(({ type, since }) => (
            <p key={type}>
              Waiting for <Lasting since={since} />. Start it with <code>sealift serve connector {type}</code>
              .
            </p>
          ))}
        </div>
        {mayFix ? <Link to="/status">See what to fix</Link> : null}
      </div>
    </Notice>
  );
}
