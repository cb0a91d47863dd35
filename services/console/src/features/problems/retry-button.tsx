import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Action } from '../../kit/rights/action.tsx';
import { noteRetry } from './retries.tsx';
import { changeAll, decidedCalls } from '../plans/many.ts';
import { decisionOn, ONLY_SEEN, planOf, type RetryFilter, type SecretRef } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { counted } from '../../kit/text/counted.ts';

type Retry = {
  type: string;
  name: string;
  filter: RetryFilter;
  /** The links are fine but for what someone changed in the store. */
  isDrift?: boolean;
};

function callOf({ type, name, filter }: Retry): Call {
  const body = { ...filter, ...decisionOn([filter.cause]), ...ONLY_SEEN };
  return { method: 'POST', path: `${destinationPath(type, name)}/associations/retry`, body };
}

/** Retries all matching associations now, after it has shown what that writes. */
export function RetryButton({ children, ...retry }: Retry & { children: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const store = useDestinationName()(retry.type, retry.name);
  return (
    <>
      <Action call={callOf(retry)} aria-label={`${children} ${store}`} onClick={() => setIsOpen(true)}>
        {children}
      </Action>
      {isOpen ? <RetryDialog {...retry} close={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** The question before that. */
export function RetryDialog({ close, ...retry }: Retry & { close: () => void }) {
  const queries = useQueryClient();
  const { type, name, filter, isDrift = false } = retry;
  const store = useDestinationName()(type, name);
  const call = callOf(retry);
  const decision = decisionOn([filter.cause]);
  return (
    <PlannedDialog
      title={isDrift ? `Overwrite changed entries in ${store}` : `Retry links of ${store}`}
      type={type}
      store={store}
      name={name}
      plan={planOf(type, name, { filter, ...decision, ...ONLY_SEEN })}
      action={isDrift ? overwriteText : retryText}
      close={close}
      call={call}
      carryOut={async (plan) => {
        // First: a retry keeps what was decided, and without that some would fail once more before it comes.
        const decided = decision.conflict_policy ? [] : decidedCalls({ type, name }, plan);
        if (decided.length > 0) await changeAll(decided);
        await carryOut(call);
        noteRetry({ type, name, ...retriedIn(plan, filter), isOverwriting: isDrift });
        await queries.invalidateQueries();
      }}
    >
      <p>
        {isDrift
          ? 'Someone changed these entries in the store. Our values replace what they have now. Where a link is being unlinked, its entry is deleted instead.'
          : 'Each of these links is tried again, and writes what its secret has then.'}
      </p>
    </PlannedDialog>
  );
}

// The links of a whole plan are known, so what became of them can be told, whatever they fail for by then.
function retriedIn(
  plan: PlanAnswer | undefined,
  filter: RetryFilter,
): { filter: RetryFilter; secrets?: SecretRef[] } {
  if (plan?.next_after !== null) return { filter };
  // What is being unlinked is neither written nor stays.
  const written = plan.secrets.filter(({ planned }) => !planned.every(({ action }) => action === 'delete'));
  return { filter: {}, secrets: written };
}

/** The text of a button that retries: `changes` is the number of entries that it writes, null if nobody knows it. */
export function retryText(changes: number | null): string {
  if (changes === null) return 'Retry all';
  return changes === 0 ? 'Retry' : `Retry and change ${entries(changes)}`;
}

// Of a link that is being unlinked, the entry is deleted.
function overwriteText(changes: number | null, plan: PlanAnswer | undefined): string {
  const deleted = plan?.totals.delete ?? 0;
  const verb = deleted === 0 ? 'Overwrite' : deleted === changes ? 'Delete' : 'Overwrite or delete';
  return changes === null || changes === 0 ? verb : `${verb} ${entries(changes)}`;
}

/** A number of entries, as people write it. */
export function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}
