import { useQuery } from '@tanstack/react-query';
import { ownSummaryQuery } from '../../api/summary.ts';
import { InstallationPause } from './installation-pause.tsx';
import { PauseNotice } from './pause-notice.tsx';

/** Says what of the pauses holds a destination back, and resumes it. */
export function PauseNotices({ type, name }: { type: string; name: string }) {
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  return (
    <>
      <InstallationPause />
      {own?.paused ? <PauseNotice subject={{ type, name }} pause={own.paused} /> : null}
    </>
  );
}
