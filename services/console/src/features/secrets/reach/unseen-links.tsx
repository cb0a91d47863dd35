import { ApiFailure } from '../../../api/failure.ts';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import { Notice } from '../../../kit/notice.tsx';
import { MissingRights } from '../../../kit/rights/missing-right.tsx';

/** Says that the links of a secret are not known. A refusal of those is none of the change that the user is about to make. */
export function UnseenLinks({ failure, effect }: { failure: unknown; effect: string }) {
  if (!(failure instanceof ApiFailure) || failure.status !== 403) return <FailureNotice failure={failure} />;
  return (
    <Notice tone="limited">
      <p>You may not see which destinations this secret is linked to. {effect}</p>
      <MissingRights rights={failure.rights} />
    </Notice>
  );
}
