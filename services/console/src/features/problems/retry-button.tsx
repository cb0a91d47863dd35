import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlanAnswer, RetriedAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Action } from '../../kit/rights/action.tsx';
import { noteRetry } from './retries.tsx';
import { changeAll, decidedCalls, retryPlansOf, undecidedOf } from '../plans/many.ts';
import {
  decisionOn,
  nameOfSecret,
  ONLY_SEEN,
  planOf,
  type RetryFilter,
  type SecretRef,
} from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { counted } from '../../kit/text/counted.ts';

type Retry = {
  type: string;
  name: string;
  filter: RetryFilter;
  /** The links are fine but for what someone changed in the store. */
  isDrift?: boolean;
  /** Called with the links once they are retried; undefined: nobody knows which they are. */
  retried?: ((links: SecretRef[] | undefined) => void) | undefined;
};

/** The call that retries them. */
export function retryCallOf({ type, name, filter }: Pick<Retry, 'type' | 'name' | 'filter'>): Call {
  const body = { ...filter, ...decisionOn([filter.cause]), ...ONLY_SEEN };
  return { method: 'POST', path: `${destinationPath(type, name)}/associations/retry`, body };
}

/** Retries all matching associations now, after it has shown what that writes. */
export function RetryButton({ children, ...retry }: Retry & { children: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const store = useDestinationName()(retry.type, retry.name);
  return (
    <>
      <Action call={retryCallOf(retry)} aria-label={`${children} ${store}`} onClick={() => setIsOpen(true)}>
        {children}
      </Action>
      {isOpen ? <RetryDialog {...retry} close={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** The question before that. */
export function RetryDialog({ close, ...retry }: Retry & { close: () => void }) {
  const queries = useQueryClient();
  const { type, name, filter, isDrift = false, retried } = retry;
  const store = useDestinationName()(type, name);
  const call = retryCallOf(retry);
  const decision = decisionOn([filter.cause]);
  const question = { ...decision, ...ONLY_SEEN };
  const links = filter.secrets ? counted(filter.secrets.length, 'link') : 'links';
  return (
    <PlannedDialog
      title={isDrift ? `Overwrite changed entries in ${store}` : `Retry ${links} of ${store}`}
      type={type}
      store={store}
      name={name}
      plan={
        filter.secrets
          ? retryPlansOf({ type, name }, filter.secrets, question)
          : planOf(type, name, { filter, ...question })
      }
      action={isDrift ? overwriteText : retryText}
      close={close}
      call={call}
      carryOut={async (plan) => {
        const decided = decision.conflict_policy ? [] : decidedCalls({ type, name }, plan);
        if (decided.length > 0) await changeAll(decided);
        // A retry of the same links would overwrite what was changed again, and was left for that.
        const filters = decided.length > 0 ? undecidedOf(plan).map((secrets) => ({ secrets })) : [filter];
        let missing = 0;
        for (const one of filters) {
          const { retried: found } = await carryOut<RetriedAnswer>(retryCallOf({ type, name, filter: one }));
          missing += (one.secrets?.length ?? found) - found;
        }
        noteRetry({ type, name, missing: Math.max(0, missing), ...noted(retry, plan) });
        retried?.(linksOf(filter, plan));
        await queries.invalidateQueries();
      }}
    >
      <p>
        {isDrift
          ? 'Someone changed these entries in the store. Our values replace what they have now.'
          : 'Each of these links is tried again, and writes what its secret has then.'}
      </p>
    </PlannedDialog>
  );
}

// The links of a whole plan are known.
function linksOf({ secrets }: RetryFilter, plan: PlanAnswer | undefined): SecretRef[] | undefined {
  if (secrets) return secrets;
  if (plan?.next_after !== null) return undefined;
  return plan.secrets.map(({ mount, secret_name }) => ({ mount, secret_name }));
}

// What became of links that are known can be told, whatever they fail for by then.
function noted(
  { filter, isDrift = false }: Retry,
  plan: PlanAnswer | undefined,
): { filter: RetryFilter; secrets?: SecretRef[]; isOverwriting?: boolean } {
  const secrets = linksOf(filter, plan);
  if (!secrets) return { filter, isOverwriting: isDrift };
  const leaving = new Set(plan?.secrets.filter(({ unlinking }) => unlinking).map(nameOfSecret));
  const written = secrets.filter((secret) => !leaving.has(nameOfSecret(secret)));
  return isDrift && written.length > 0
    ? { filter: {}, secrets: written, isOverwriting: true }
    : { filter: {}, secrets };
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
