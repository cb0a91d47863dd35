import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import type { PlanAnswer } from '../../../../api/contract/plans.ts';
import type { Call } from '../../api/curl.ts';
import { ApiFailure } from '../../api/failure.ts';
import { TypedName } from '../../kit/confirm.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { Notice } from '../../kit/notice.tsx';
import { keepInSight } from '../../kit/refusing/in-sight.ts';
import { useOnce } from '../../api/once.ts';
import { Skeleton } from '../../kit/page.tsx';
import { HeldNotice } from '../pauses/held-notice.tsx';
import { readPlans } from './many.ts';
import { countChanges, hasOnlyErrors, isLosing, readWholePlan, type WholePlan } from './plan.ts';

const loadPlanned = async () => ({ default: (await import('./planned.tsx')).Planned });
const Planned = lazy(loadPlanned);

// Most stores have answered by then.
const PATIENCE_MS = 2000;

type Props = {
  title: string;
  /** The type of the destination. */
  type: string;
  /** What the page calls the destination. */
  store: string;
  /** The name of the destination, which the user types if something may be lost. */
  name: string;
  /** One call, or several for very many secrets. */
  plan: Call | Call[];
  /** The text of the button for the number of entries that change; null: nobody knows it. */
  action: (changes: number | null, plan: PlanAnswer | undefined) => string;
  /** Something else is not known yet. */
  isBlocked?: boolean;
  /** The user types the name whatever the plan says. */
  isCareful?: boolean;
  /** It ends a wait that the store asked for. */
  endsWait?: boolean;
  /** A refusal with status 400 of what is planned, although the service could plan it. */
  obstacle?: ((plan: PlanAnswer) => ApiFailure | undefined) | undefined;
  /** Stands in place of the plan, because something else happens. */
  instead?: ReactNode;
  /** Gets a refusal of what is planned, instead of the dialog. */
  refuse?: ((refusal: unknown) => void) | undefined;
  call: Call | null;
  secrets?: string[];
  /** `plan`: what was agreed to; undefined: nobody knew all of it. */
  carryOut: (plan: PlanAnswer | undefined) => Promise<void>;
  close: () => void;
  /** What happens, in words, above the plan. */
  children?: ReactNode;
};

/**
 * Asks before anything is written or deleted in a store: shows the plan first, then what the button will do to how many
 * entries. If something may be lost, or if nobody knows, the user types a name.
 */
export function PlannedDialog({
  type,
  store,
  name,
  plan: planCall,
  action,
  isBlocked = false,
  isCareful = false,
  endsWait = false,
  obstacle,
  refuse,
  instead,
  carryOut,
  children,
  ...dialog
}: Props) {
  const [work] = useState(() => async () => {
    const whole = await readShowable(planCall);
    const refused = obstacle?.(whole.plan);
    if (refused) throw refused;
    return whole;
  });
  const [typed, setTyped] = useState('');
  const { data, failure, isPending, again } = useOnce(work);
  // Without any answer there is nothing to decide yet.
  const isAway = failure instanceof ApiFailure && failure.status === 0;
  const refusal = failure instanceof ApiFailure && failure.status === 400 ? failure : undefined;
  useEffect(() => {
    if (refusal) refuse?.(refusal);
  }, [refusal, refuse]);
  const top = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isPending) focusAnswer(top.current);
  }, [isPending]);
  const text = isPending
    ? 'Loading preview…'
    : action(data?.isWhole ? countChanges(data.plan) : null, data?.plan);
  const isTyped = !isAway && (isCareful || (!isPending && (!data || isLosing(data))));
  const isImpossible = data !== undefined && hasOnlyErrors(data.plan);
  const isReady = !isPending && !isAway && !isBlocked && !isImpossible && (!isTyped || typed === name);
  return (
    <FormDialog
      {...dialog}
      action={text}
      isReady={isReady}
      isDangerous={isTyped}
      carryOut={() => carryOut(data?.isWhole ? data.plan : undefined)}
    >
      <span ref={top} hidden />
      {children}
      <HeldNotice {...{ type, name, endsWait }} />
      {isPending ? <SlowPreview store={store} /> : null}
      {data ? <Suspense>{instead ?? <Planned store={store} of={data} call={planCall} />}</Suspense> : null}
      {failure && !(refusal && refuse) ? (
        <Unplanned store={store} failure={failure} again={isAway ? again : null} />
      ) : null}
      {isTyped ? <TypedName name={name} typed={typed} set={setTyped} /> : null}
    </FormDialog>
  );
}

// Together with what shows the plan: nobody agrees to one that is not shown yet.
async function readShowable(call: Call | Call[]): Promise<WholePlan> {
  const reading = Array.isArray(call) ? readPlans(call) : readWholePlan(call);
  const [whole] = await Promise.all([reading, loadPlanned()]);
  return whole;
}

// While the preview was loaded, the answer could not be given, so the browser has put the focus elsewhere.
function focusAnswer(top: Element | null): void {
  if (document.activeElement?.matches('input, textarea, select')) return;
  const form = top?.closest('form');
  const field = form?.querySelector('[data-passing] input');
  const answer = field ?? form?.querySelector('button[type="submit"]');
  if (answer instanceof HTMLElement) answer.focus();
  if (field) keepInSight(field);
}

// Stands for a preview that is not there yet, and says after a moment what it waits for.
function SlowPreview({ store }: { store: string }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p role="status">
        {isSlow
          ? `Still waiting for an answer from ${store}. If none comes, the preview says so soon.`
          : null}
      </p>
      <Skeleton rows={2} />
    </>
  );
}

function Unplanned({
  store,
  failure,
  again,
}: {
  store: string;
  failure: unknown;
  /** Asks anew; null: the answer would be the same. */
  again: (() => void) | null;
}) {
  if (again) return <FailureNotice failure={failure} retry={again} />;
  return (
    <>
      <FailureNotice failure={failure} />
      <Notice tone="limited">It is unknown what this would write or delete in {store}.</Notice>
    </>
  );
}
