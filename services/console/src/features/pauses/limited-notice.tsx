import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { Notice } from '../../kit/notice.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { StoreLink } from '../associations/store-link.tsx';

/** Names the destinations whose stores have asked to wait: nothing fails there, but changes wait. */
export function LimitedNotice({ destinations }: { destinations: DestinationSummaryAnswer[] }) {
  const limited = destinations.filter(({ by_status: counts }) => (counts['THROTTLED'] ?? 0) > 0);
  if (limited.length === 0) return null;
  return (
    <Notice tone="limited">
      {limited.map(({ store_type: type, store_name: name, by_status: counts, throttled_until: until }) => (
        <p key={`${type}/${name}`}>
          <StoreLink type={type} name={name} /> is rate limited: {counted(counts['THROTTLED'] ?? 0, 'link')}{' '}
          will be written {until ? <Time at={until} /> : 'later'}.
        </p>
      ))}
    </Notice>
  );
}
