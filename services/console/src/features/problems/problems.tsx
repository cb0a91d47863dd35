import { useQuery } from '@tanstack/react-query';
import type { SummaryAnswer } from '../../../../api/contract/summary.ts';
import { SUMMARY, summaryQuery } from '../../api/summary.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { LimitedNotice } from '../pauses/limited-notice.tsx';
import { PauseNotice } from '../pauses/pause-notice.tsx';
import { PausedDestinations } from '../pauses/paused-destinations.tsx';
import { SilenceNotice, useSilence } from '../pauses/silence-notice.tsx';
import { ProblemTabs } from './problem-tabs.tsx';
import { ProblemTable } from './problem-table.tsx';
import { LatestResult } from '../../kit/results/latest.tsx';
import { counted } from '../../kit/text/counted.ts';

/** Everything that fails: one row for each cause, however many links have it. */
export function Problems() {
  return (
    <Page title="Problems" rights={[SUMMARY]} about="One row per cause, the severest first, then the newest.">
      <ProblemTabs />
      <LatestResult />
      <Loaded query={useQuery(summaryQuery)}>{(summary) => <Present summary={summary} />}</Loaded>
    </Page>
  );
}

function Present({
  summary: { problems, total, paused, destinations, by_status: counts },
}: {
  summary: SummaryAnswer;
}) {
  const isLimited = (counts['THROTTLED'] ?? 0) > 0;
  const isHeld =
    useSilence(destinations) !== '' ||
    paused !== null ||
    isLimited ||
    destinations.some((one) => one.paused !== null);
  return (
    <>
      <PauseNotice subject={null} pause={paused} />
      <SilenceNotice destinations={destinations} />
      <LimitedNotice destinations={destinations} />
      <PausedDestinations destinations={destinations} />
      {problems.length > 0 ? <ProblemTable problems={problems} /> : null}
      {problems.length > 0 || isHeld ? null : (
        <Empty title="No problems">
          {total === 0
            ? 'No secrets are linked yet.'
            : `Nothing needs attention (${counted(total, 'link')}).`}
        </Empty>
      )}
    </>
  );
}
