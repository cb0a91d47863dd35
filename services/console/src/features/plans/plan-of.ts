import { useState } from 'react';
import type { SecretRef, WholePlan } from './plan.ts';

/** A plan for some secrets. It goes away if other ones are chosen, and one that was asked for before does not count. */
export function usePlanOf(secrets: SecretRef[]) {
  const [shown, setShown] = useState<{ whole: WholePlan; of: string } | null>(null);
  const key = JSON.stringify(secrets);
  return {
    whole: shown?.of === key ? shown.whole : null,
    setWhole: (whole: WholePlan | null) => setShown(whole && { whole, of: key }),
  };
}
