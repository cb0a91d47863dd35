import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer } from '../../../../../api/contract/plans.ts';
import { destinationPath } from '../../../api/queries.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { changeAll, changesOf, plansOf } from '../../plans/many.ts';
import { doneOf, isAllDone } from '../../plans/done.ts';
import { Outcomes } from '../../plans/outcomes.tsx';
import { PlannedDialog } from '../../plans/planned-dialog.tsx';
import { unlinkedManyText, unlinkText } from '../../plans/unlink-text.ts';
import { noteDone } from '../../../kit/results/latest.tsx';
import { retryCallOf, RetryDialog } from '../../problems/retry-button.tsx';
import { MOST_SELECTED, type Selection } from '../../plans/selection.ts';
import { VerifyMany } from './verify-many.tsx';

type Props = { type: string; name: string; selection: Selection };

/** What can be done with all ticked links together. */
export function Selected({ type, name, selection }: Props) {
  const [opened, setOpened] = useState<'retry' | 'unlink' | null>(null);
  const [outcome, setOutcome] = useState<BulkAnswer | null>(null);
  const { secrets } = selection;
  const count = secrets.length.toLocaleString('en');
  const retry = { type, name, filter: { secrets } };
  const path = `${destinationPath(type, name)}/associations`;
  if (secrets.length === 0)
    return outcome && !isAllDone(outcome) ? <Outcomes answer={outcome} done="changed" /> : null;
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight} ${kit.selected}`} aria-label="Selected links">
      <div className={kit.row}>
        <strong role="status">
          {count} selected{secrets.length === MOST_SELECTED ? ', the most at once' : ''}
        </strong>
        <GuardedButton
          call={retryCallOf(retry)}
          aria-label={`Retry selected (${count})…`}
          onClick={() => setOpened('retry')}
        >
          Retry<span className={kit.roomy}>{` selected (${count})`}</span>…
        </GuardedButton>
        <VerifyMany path={`${path}/verify`} secrets={secrets} />
        <GuardedButton
          call={{ method: 'POST', path: `${path}/remove-many` }}
          kind="danger"
          aria-label={`Unlink selected (${count})…`}
          onClick={() => setOpened('unlink')}
        >
          Unlink<span className={kit.roomy}>{` selected (${count})`}</span>…
        </GuardedButton>
        <Button kind="quiet" aria-label="Clear selection" onClick={selection.clear}>
          Clear<span className={kit.roomy}> selection</span>
        </Button>
      </div>
      {opened === 'retry' ? (
        <RetryDialog {...retry} retried={selection.clear} close={() => setOpened(null)} />
      ) : null}
      {opened === 'unlink' ? (
        <UnlinkSelected
          type={type}
          name={name}
          selection={selection}
          close={() => setOpened(null)}
          show={setOutcome}
        />
      ) : null}
    </section>
  );
}

function UnlinkSelected({
  type,
  name,
  selection,
  close,
  show,
}: Props & { close: () => void; show: (outcome: BulkAnswer) => void }) {
  const queries = useQueryClient();
  const { secrets } = selection;
  const calls = changesOf({ type, name }, 'remove-many', secrets);
  return (
    <PlannedDialog
      title={`Unlink ${counted(secrets.length, 'secret')} from ${name}`}
      type={type}
      store={name}
      name={name}
      plan={plansOf({ type, name }, secrets, { unlink: true })}
      action={(changes) => unlinkText(secrets.length, changes)}
      close={close}
      call={calls[0] ?? null}
      carryOut={async () => {
        const done = await changeAll(calls);
        show(done);
        noteDone(unlinkedManyText(doneOf(done).length, name));
        selection.clear();
        await queries.invalidateQueries();
      }}
    >
      <p>The secrets themselves aren’t deleted.</p>
    </PlannedDialog>
  );
}
