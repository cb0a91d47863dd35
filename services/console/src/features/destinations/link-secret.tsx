import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer, PlanAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath, mountsQuery } from '../../api/queries.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { TypedName } from '../../kit/confirm.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Cancel } from '../../kit/leaving/cancel.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { isAllDone, Outcomes } from '../plans/outcomes.tsx';
import { PlanTable } from '../plans/plan-table.tsx';
import { countChanges, isLosing as mayLose, planOf, readPlan, secretsOf } from '../plans/plan.ts';
import { usePlanOf } from '../plans/plan-of.ts';
import { SecretsField } from '../plans/secrets-field.tsx';
import { entries } from '../problems/retry-button.tsx';

/** Links secrets after it has shown the plan of what that would write. */
export function LinkSecret({ type, name, close }: { type: string; name: string; close: () => void }) {
  const queries = useQueryClient();
  const mounts = useQuery(mountsQuery);
  const [chosen, setChosen] = useState({ mount: '', text: '' });
  const [typed, setTyped] = useState('');
  const [outcome, setOutcome] = useState<BulkAnswer | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const mount = chosen.mount || mounts.data?.[0] || '';
  const secrets = secretsOf(mount, chosen.text);
  const path = `${destinationPath(type, name)}/associations/set-many`;
  const set: Call = { method: 'POST', path, body: { secrets } };
  const look = planOf(type, name, { secrets });
  const { plan, setPlan } = usePlanOf(secrets);
  const isEmpty = plan?.secrets.every(({ error }) => error !== null) ?? true;
  const isLosing = plan !== null && mayLose({ plan, isWhole: true });
  const show = () => attempt(async () => setPlan(await readPlan(look)));
  const link = () =>
    attempt(async () => {
      const answer = await carryOut<BulkAnswer>(set);
      await queries.invalidateQueries();
      if (isAllDone(answer)) close();
      setOutcome(answer);
    });

  return (
    <Dialog title={`Link secrets to ${name}`} close={close} isPassing={outcome !== null}>
      <SecretsField
        mount={mount}
        text={chosen.text}
        set={(nextMount, text) => {
          setChosen({ mount: nextMount, text });
          setOutcome(null);
        }}
      />
      {failure ? <FailureNotice failure={failure} /> : null}
      {outcome ? <Outcomes answer={outcome} /> : plan ? <PlanTable plan={plan} /> : null}
      {isLosing ? <TypedName name={name} typed={typed} set={setTyped} /> : null}
      <div className={kit.row}>
        <Action
          call={plan ? set : look}
          kind="primary"
          busy={busy}
          disabled={plan ? isEmpty || (isLosing && typed !== name) : secrets.length === 0}
          onClick={() => void (plan ? link() : show())}
        >
          {plan ? linkText(plan) : 'Preview changes'}
        </Action>
        <Cancel>{outcome ? 'Close' : 'Cancel'}</Cancel>
      </div>
    </Dialog>
  );
}

function linkText(plan: PlanAnswer): string {
  const changes = countChanges(plan);
  return changes > 0 ? `Link and write ${entries(changes)}` : 'Link and sync';
}
