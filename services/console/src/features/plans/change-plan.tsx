import { useState } from 'react';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { destinationPath } from '../../api/queries.ts';
import { rightFor } from '../../api/right.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Action } from '../../kit/rights/action.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { PlanTable } from './plan-table.tsx';
import { planOf, readPlan } from './plan.ts';

/** What a change of a destination would do to its links, before it is saved. */
export function ChangePlan({
  type,
  name,
  edits,
  body,
  secrets,
}: {
  type: string;
  name: string;
  edits: Edits;
  /** The body of the call that saves them. */
  body: Record<string, unknown>;
  /** Names of the secret fields among the edits. */
  secrets: string[];
}) {
  const [shown, setShown] = useState<{ plan: PlanAnswer; of: Edits } | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const right = rightFor('PATCH', destinationPath(type, name));
  const call = planOf(type, name, { destination: body }, right);
  const show = () => attempt(async () => setShown({ plan: await readPlan(call), of: edits }));
  // A plan for other edits says nothing about these.
  const plan = shown?.of === edits ? shown.plan : null;
  return (
    <section className={`${kit.stack} ${kit.tight}`}>
      <div>
        <Action call={call} secrets={secrets} busy={busy} onClick={() => void show()}>
          Show the plan
        </Action>
      </div>
      {failure ? <FailureNotice failure={failure} /> : null}
      {plan ? <PlanTable plan={plan} /> : null}
      {plan?.next_after ? (
        <p className={kit.muted}>Of the first {plan.secrets.length} links; the others follow alike.</p>
      ) : null}
    </section>
  );
}
