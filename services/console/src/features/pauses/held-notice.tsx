import { useQuery } from '@tanstack/react-query';
import { ownSummaryQuery } from '../../api/summary.ts';
import { Notice } from '../../kit/notice.tsx';
import { Time, useNow } from '../../kit/time.tsx';

/** Says in a question about a change in a store that the destination is held back, so that nothing changes there yet. */
export function HeldNotice({
  type,
  name,
  endsWait = false,
}: {
  type: string;
  name: string;
  /** The change ends a wait that the store asked for. */
  endsWait?: boolean;
}) {
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  if (own?.held)
    return <Notice tone="limited">{own.held.message} The store is changed once that ends.</Notice>;
  if (!own?.throttled_until) return null;
  return (
    <Notice tone="limited">
      The store asked Sealift to wait.{' '}
      {endsWait ? 'Saving tries again at once.' : <WrittenAgain at={own.throttled_until} />}
    </Notice>
  );
}

const MOMENT_MS = 10_000;

// Most stores name no time, and each try may be refused again.
function WrittenAgain({ at }: { at: string | Date }) {
  const now = useNow(1000);
  if (new Date(at).getTime() - now <= MOMENT_MS) return 'Sealift tries it again within seconds.';
  return (
    <>
      Sealift writes to it again <Time at={at} />.
    </>
  );
}
