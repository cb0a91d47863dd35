import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer } from '../../../../../api/contract/plans.ts';
import { destinationPath } from '../../../api/queries.ts';
import { rightFor } from '../../../api/right.ts';
import { Button } from '../../../kit/button.tsx';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { counted } from '../../../kit/text/counted.ts';
import { agreedCalls, changeAll, changesOf, plansOf } from '../../plans/many.ts';
import { ifUnchanged } from '../../plans/plan.ts';
import { doneOf, isAllDone, Outcomes } from '../../plans/outcomes.tsx';
import { PlannedDialog } from '../../plans/planned-dialog.tsx';
import { unlinkedManyText, unlinkText } from '../../plans/unlink-text.ts';
import { noteDone, noteRetry } from '../../problems/retries.tsx';
import { retryText } from '../../problems/retry-button.tsx';
import { MOST_SELECTED, type Selection } from '../../plans/selection.ts';
import { VerifyMany } from './verify-many.tsx';

type Props = { type: string; name: string; selection: Selection };

/** What can be done with all ticked links together. */
export function Selected({ type, name, selection }: Props) {
  const [opened, setOpened] = useState<'retry' | 'unlink' | null>(null);
  const [outcome, setOutcome] = useState<BulkAnswer | null>(null);
  const { secrets } = selection;
  const count = secrets.length.toLocaleString('en');
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
          call={{ method: 'POST', path: `${path}/set-many`, rights: [rightFor('POST', `${path}/set-many`)] }}
          onClick={() => setOpened('retry')}
        >
          {`Retry selected (${count})…`}
        </GuardedButton>
        <VerifyMany path={`${path}/verify`} secrets={secrets} />
        <GuardedButton
          call={{ method: 'POST', path: `${path}/remove-many` }}
          kind="danger"
          onClick={() => setOpened('unlink')}
        >
          {`Unlink selected (${count})…`}
        </GuardedButton>
        <Button kind="quiet" onClick={selection.clear}>
          Clear selection
        </Button>
      </div>
      {opened ? (
        <Question
          type={type}
          name={name}
          selection={selection}
          isUnlinking={opened === 'unlink'}
          close={() => setOpened(null)}
          show={setOutcome}
        />
      ) : null}
    </section>
  );
}

function Question({
  type,
  name,
  selection,
  isUnlinking,
  close,
  show,
}: Props & { isUnlinking: boolean; close: () => void; show: (outcome: BulkAnswer) => void }) {
  const queries = useQueryClient();
  const { secrets } = selection;
  const calls = isUnlinking
    ? changesOf({ type, name }, 'remove-many', secrets)
    : agreedCalls({ type, name }, secrets, undefined);
  const many = counted(secrets.length, 'secret');
  return (
    <PlannedDialog
      title={
        isUnlinking ? `Unlink ${many} from ${name}` : `Retry ${counted(secrets.length, 'link')} of ${name}`
      }
      type={type}
      store={name}
      name={name}
      plan={plansOf({ type, name }, secrets, isUnlinking ? { unlink: true } : ifUnchanged(undefined))}
      action={(changes) => (isUnlinking ? unlinkText(secrets.length, changes) : retryText(changes))}
      close={close}
      call={calls[0] ?? null}
      carryOut={async (plan) => {
        const done = await changeAll(isUnlinking ? calls : agreedCalls({ type, name }, secrets, plan));
        show(done);
        if (isUnlinking) noteDone(unlinkedManyText(doneOf(done).length, name));
        else noteRetry({ type, name, filter: {}, secrets: doneOf(done) });
        selection.clear();
        await queries.invalidateQueries();
      }}
    >
      <p>
        {isUnlinking
          ? 'The secrets themselves aren’t deleted.'
          : 'Each of these links is tried again, and writes what its secret has then.'}
      </p>
    </PlannedDialog>
  );
}
