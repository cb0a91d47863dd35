import { useQuery } from '@tanstack/react-query';
import { summaryQuery } from '../../api/summary.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { ProblemTabs } from './problem-tabs.tsx';
import { ProblemTable } from './problem-table.tsx';
import { RetryResult } from './retries.tsx';
import { counted } from '../../kit/text/counted.ts';

/** Everything that fails: one row for each cause, however many links have it. */
export function Problems() {
  return (
    <Page title="Problems" about="One row per cause.">
      <ProblemTabs />
      <RetryResult />
      <Loaded query={useQuery(summaryQuery)}>
        {({ problems, total }) =>
          problems.length === 0 ? (
            <Empty title="No problems">
              {total === 0
                ? 'No secrets are linked yet.'
                : `Nothing needs attention (${counted(total, 'link')}).`}
            </Empty>
          ) : (
            <ProblemTable problems={problems} />
          )
        }
      </Loaded>
    </Page>
  );
}
