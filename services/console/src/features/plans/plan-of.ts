import { useState } from 'react';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import type { SecretRef } from './plan.ts';

/** A plan for some secrets. It goes away if other ones are chosen, and one that was asked for before does not count. */
export function usePlanOf(secrets: SecretRef[]) {
  const [shown, setShown] = useState<{ plan: PlanAnswer; of: string } | null>(null);
  const key = JSON.stringify(secrets);
  return {
    plan: shown?.of === key ? shown.plan : null,
    setPlan: (plan: PlanAnswer) => setShown({ plan, of: key }),
  };
}
