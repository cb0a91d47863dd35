import { useQuery } from '@tanstack/react-query';
import { ownSummaryQuery, SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { PauseNotice } from './pause-notice.tsx';

/** Says what of the pauses holds a destination back, and resumes it. */
export function PauseNotices({ type, name }: { type: string; name: string }) {
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  return (
    <>
      <InstallationPause />
      <PauseNotice key={`${type}/${name}`} subject={{ type, name }} pause={own?.paused ?? null} />
    </>
  );
}

/** Says that the whole installation is paused, and resumes it. Nothing without the right to know. */
export function InstallationPause() {
  const { data } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  return <PauseNotice subject={null} pause={data?.paused ?? null} />;
}
