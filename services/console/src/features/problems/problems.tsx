import { useQuery } from '@tanstack/react-query';
import { summaryQuery } from '../../api/summary.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { ProblemTable } from './problem-table.tsx';

/** Everything that fails: one line for each cause, however many links have it. */
export function Problems() {
  return (
    <Page title="Problems" about="One line for each cause, however many links have it.">
      <Loaded query={useQuery(summaryQuery)}>
        {({ problems, total }) =>
          problems.length === 0 ? (
            <Empty title="Nothing fails">
              {total === 0
                ? 'No secret is linked to a store yet.'
                : `All ${total.toLocaleString('en')} links work.`}
            </Empty>
          ) : (
            <ProblemTable problems={problems} />
          )
        }
      </Loaded>
    </Page>
  );
}
