import { Link } from '@tanstack/react-router';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Notice } from '../../kit/notice.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time, useNow } from '../../kit/time.tsx';

/** Names the destinations whose stores have asked to wait: nothing fails there, but changes wait. */
export function LimitedNotice({ destinations }: { destinations: DestinationSummaryAnswer[] }) {
  const nameOf = useDestinationName();
  const limited = destinations.filter(({ by_status: counts }) => (counts['THROTTLED'] ?? 0) > 0);
  if (limited.length === 0) return null;
  return (
    <Notice tone="limited">
      {limited.map(({ store_type: type, store_name: name, by_status: counts, throttled_until: until }) => (
        <p key={`${type}/${name}`}>
          <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
            {nameOf(type, name)}
          </Link>{' '}
          is rate limited: {counted(counts['THROTTLED'] ?? 0, 'link')} will be tried again{' '}
          <Begin at={until} />.
        </p>
      ))}
    </Notice>
  );
}

// What the limit held back is written one after the other once it has ended.
function Begin({ at }: { at: string | Date | null }) {
  const now = useNow(1000);
  if (at === null) return 'later';
  return new Date(at).getTime() > now ? <Time at={at} /> : 'soon';
}
