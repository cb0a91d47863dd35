import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath, type RowFilter } from '../../api/queries.ts';
import { noteDone } from '../../kit/results/latest.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { planOf, type SecretRef } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { doneOf } from '../plans/done.ts';
import { unlinkedManyText, unlinkText } from '../plans/unlink-text.ts';
import { counted } from '../../kit/text/counted.ts';

/** Unlinks everything that a filter finds, page by page, after the user has typed the name of the destination. */
export function UnlinkMany({
  type,
  name,
  filter,
  count,
  done,
}: {
  type: string;
  name: string;
  filter: RowFilter;
  count: number;
  /** Called with those that are being unlinked. */
  done: (links: SecretRef[]) => void;
}) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  // The address also has the namespace, which is no filter.
  const { status, cause, q } = filter;
  const wanted = { cause, q, status: status ? [status] : undefined };
  const callFrom = (after: string): Call => {
    return {
      method: 'POST',
      path: `${destinationPath(type, name)}/associations/remove-many`,
      body: { ...wanted, after },
      note: 'If there are many, this unlinks some: repeat it with the next_after of the answer as after.',
    };
  };
  const remove = async (): Promise<void> => {
    const links = await unlinkAll(callFrom);
    noteDone(unlinkedManyText(links.length, name));
    done(links);
    await queries.invalidateQueries();
  };
  return (
    <>
      <GuardedButton call={callFrom('')} kind="danger" onClick={() => setIsOpen(true)}>
        {`Unlink ${count.toLocaleString('en')}…`}
      </GuardedButton>
      {isOpen ? (
        <PlannedDialog
          title={`Unlink ${counted(count, 'secret')} from ${name}`}
          type={type}
          store={name}
          name={name}
          plan={planOf(type, name, { filter: wanted, unlink: true })}
          action={(changes) => unlinkText(count, changes)}
          close={() => setIsOpen(false)}
          call={callFrom('')}
          carryOut={remove}
        >
          <p>The secrets themselves aren’t deleted.</p>
        </PlannedDialog>
      ) : null}
    </>
  );
}

async function unlinkAll(callFrom: (after: string) => Call): Promise<SecretRef[]> {
  const links: SecretRef[] = [];
  let after: string | null = '';
  while (after !== null) {
    const answer: BulkAnswer = await carryOut<BulkAnswer>(callFrom(after));
    links.push(...doneOf(answer));
    after = answer.next_after;
  }
  return links;
}
