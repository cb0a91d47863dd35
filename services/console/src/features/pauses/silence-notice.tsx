import { Link } from '@tanstack/react-router';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { useAllowed } from '../../kit/rights/allowed.ts';
import { counted } from '../../kit/text/counted.ts';
import { useNow } from '../../kit/time.tsx';
import { isSilent } from './silence.ts';

const MOST_NAMED = 3;
const STATUS = [{ right: { path: 'sys/status', capability: 'read' } }];

/** Says whose changes no worker takes; empty if there is no such destination. */
export function useSilence(destinations: DestinationSummaryAnswer[]): string {
  const now = useNow();
  const nameOf = useDestinationName();
  const names = destinations
    .filter((one) => isSilent(one, now))
    .map((one) => nameOf(one.store_type, one.store_name));
  if (names.length === 0) return '';
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const rest = names.length > MOST_NAMED ? ` and ${counted(names.length - MOST_NAMED, 'other')}` : '';
  return `No worker takes the changes of ${shown}${rest}.`;
}

/** The same as a notice that leads to what to fix. */
export function SilenceNotice({ destinations }: { destinations: DestinationSummaryAnswer[] }) {
  const silence = useSilence(destinations);
  const mayFix = useAllowed(STATUS)?.length === 1;
  if (silence === '') return null;
  return (
    <Notice tone="person">
      <div className={`${kit.row} ${kit.spread}`} role="alert">
        <p>
          <strong>{silence}</strong> Changes are kept until one runs.
        </p>
        {mayFix ? <Link to="/status">See what to fix</Link> : null}
      </div>
    </Notice>
  );
}
