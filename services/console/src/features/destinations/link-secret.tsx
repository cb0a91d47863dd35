import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer, PlannedSecretAnswer } from '../../../../api/contract/plans.ts';
import { mountsQuery } from '../../api/queries.ts';
import { firstMount, usualMountQuery } from '../plans/choose/usual-mount.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { TypedName } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import kit from '../../kit/kit.module.css';
import { Cancel } from '../../kit/leaving/cancel.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { HeldNotice } from '../pauses/held-notice.tsx';
import { LinkPlan } from '../plans/link-plan.tsx';
import { isAllDone } from '../plans/done.ts';
import { Outcomes } from '../plans/outcomes.tsx';
import { changeAll, changesOf, plansOf, readPlans } from '../plans/many.ts';
import { countChanges, isLosing as mayLose, secretsOf, type WholePlan } from '../plans/plan.ts';
import { usePlanOf } from '../plans/plan-of.ts';
import { SecretsField } from '../plans/choose/secrets-field.tsx';
import { entries } from '../problems/retry-button.tsx';

/** Links secrets after it has shown the plan of what that would write. */
export function LinkSecret({ type, name, close }: { type: string; name: string; close: () => void }) {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState({ mount: '', text: '' });
  const [typed, setTyped] = useState('');
  const [outcome, setOutcome] = useState<BulkAnswer | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const { mount, mounts } = useMount({ type, name }, chosen.mount);
  const secrets = secretsOf(mount, chosen.text, mounts);
  const set = changesOf({ type, name }, 'set-many', secrets);
  const look = plansOf({ type, name }, secrets);
  const { whole, setWhole } = usePlanOf(secrets);
  const isEmpty = whole?.plan.secrets.every(isRefused) ?? true;
  const isLosing = whole !== null && mayLose(whole);
  const choose = (nextMount: string, text: string): void => {
    setChosen({ mount: nextMount, text });
    setOutcome(null);
  };
  const show = () =>
    attempt(async () => {
      setOutcome(null);
      setWhole(await readPlans(look));
    });
  const link = () =>
    attempt(async () => {
      const answer = await changeAll(set);
      await queries.invalidateQueries();
      if (isAllDone(answer)) close();
      setOutcome(answer);
      // What is left is previewed anew before it is tried again.
      setWhole(null);
    });
  return (
    <Dialog
      title={`Link secrets to ${name}`}
      close={close}
      isDirty={secrets.length > 0}
      isPassing={outcome !== null}
    >
      <SecretsField mount={mount} text={chosen.text} set={choose} />
      <Refusal failure={failure} />
      {outcome ? <Outcomes answer={outcome} /> : whole ? <LinkPlan whole={whole} /> : null}
      <HeldNotice type={type} name={name} />
      {isLosing ? <TypedName name={name} typed={typed} set={setTyped} /> : null}
      <div className={`${kit.row} ${kit.actions}`}>
        <Action
          call={whole ? set : look}
          kind="primary"
          busy={busy}
          disabled={whole ? isEmpty || (isLosing && typed !== name) : secrets.length === 0}
          onClick={() => void (whole ? link() : show())}
        >
          {whole ? linkText(whole) : 'Preview changes'}
        </Action>
        <Cancel>{outcome ? 'Close' : 'Cancel'}</Cancel>
      </div>
    </Dialog>
  );
}

// Until the user chooses one, it is the one that is usual here.
function useMount({ type, name }: { type: string; name: string }, chosen: string) {
  const { data: mounts = [] } = useQuery(mountsQuery);
  const { data: usual } = useQuery(usualMountQuery(type, name));
  return { mount: chosen || firstMount(mounts, usual), mounts };
}

// The service links no secret with a name that another link has, or that the store can't have.
const REFUSED = new Set(['taken', 'left_out', 'refused']);

function isRefused({ error, planned }: PlannedSecretAnswer): boolean {
  const isLeftOut = planned.length > 0 && planned.every((step) => REFUSED.has(step.action));
  return error !== null || (isLeftOut && planned.some(isWithoutName));
}

function isWithoutName({ action, external_name: name }: PlannedSecretAnswer['planned'][number]): boolean {
  return action === 'taken' || name === '';
}

function linkText({ plan, isWhole }: WholePlan): string {
  if (!isWhole) return 'Link and write their entries';
  const changes = countChanges(plan);
  return changes > 0 ? `Link and write ${entries(changes)}` : 'Link and sync';
}
