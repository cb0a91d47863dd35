import { useQuery } from '@tanstack/react-query';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { PauseNotice } from './pause-notice.tsx';

/** Says that the whole installation is paused, and resumes it. Nothing without the right to know. */
export function InstallationPause() {
  const { data } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  return data?.paused ? <PauseNotice subject={null} pause={data.paused} /> : null;
}
