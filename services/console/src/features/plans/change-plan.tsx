import { useState } from 'react';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { PlanTable } from './plan-table.tsx';
import { readPlan } from './plan.ts';

/** What a change of a destination would do to its links, before it is saved. */
export function ChangePlan({ type, name, edits }: { type: string; name: string; edits: Edits }) {
  const [shown, setShown] = useState<{ plan: PlanAnswer; of: Edits } | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const show = () =>
    attempt(async () => setShown({ plan: await readPlan(type, name, { destination: edits }), of: edits }));
  // A plan for other edits says nothing about these.
  const plan = shown?.of === edits ? shown.plan : null;
  return (
    <section className={`${kit.stack} ${kit.tight}`}>
      <div>
        <Button busy={busy} onClick={() => void show()}>
          Show the plan
        </Button>
      </div>
      {failure ? <FailureNotice failure={failure} /> : null}
      {plan ? <PlanTable plan={plan} /> : null}
      {plan?.next_after ? (
        <p className={kit.muted}>Of the first {plan.secrets.length} links; the others follow alike.</p>
      ) : null}
    </section>
  );
}
