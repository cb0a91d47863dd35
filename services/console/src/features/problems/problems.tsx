import { useQuery } from '@tanstack/react-query';
import { summaryQuery } from '../../api/summary.ts';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { ProblemTable } from './problem-table.tsx';
import { counted } from '../../kit/text/counted.ts';

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
                : total === 1
                  ? 'The one link works.'
                  : `All ${counted(total, 'link')} work.`}
            </Empty>
          ) : (
            <ProblemTable problems={problems} />
          )
        }
      </Loaded>
    </Page>
  );
}
