import { useQuery } from '@tanstack/react-query';
import { ownSummaryQuery, SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { PauseNotice } from './pause-notice.tsx';

/** Says what of the pauses holds a destination back, and resumes it. */
export function PauseNotices({ type, name }: { type: string; name: string }) {
  const { data: summary } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  return (
    <>
      {summary?.paused ? <PauseNotice subject={null} pause={summary.paused} /> : null}
      {own?.paused ? <PauseNotice subject={{ type, name }} pause={own.paused} /> : null}
    </>
  );
}
