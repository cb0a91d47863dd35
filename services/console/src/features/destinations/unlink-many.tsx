import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer } from '../../../../api/contract/plans.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath, type RowFilter } from '../../api/queries.ts';
import { ConfirmByName } from '../../kit/confirm.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';

/** Unlinks everything that a filter finds, page by page, after the user has typed the name of the destination. */
export function UnlinkMany({
  type,
  name,
  filter,
  count,
}: {
  type: string;
  name: string;
  filter: RowFilter;
  count: number;
}) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const callFrom = (after: string): Call => {
    const { status, ...rest } = filter;
    return {
      method: 'POST',
      path: `${destinationPath(type, name)}/associations/remove-many`,
      body: { ...rest, ...(status ? { status: [status] } : {}), after },
      note: 'If there are many, this unlinks some: repeat it with the next_after of the answer as after.',
    };
  };
  const remove = async (): Promise<void> => {
    let after: string | null = '';
    while (after !== null) {
      const answer: BulkAnswer = await carryOut<BulkAnswer>(callFrom(after));
      after = answer.next_after;
    }
    await queries.invalidateQueries();
  };
  return (
    <>
      <GuardedButton call={callFrom('')} kind="danger" onClick={() => setIsOpen(true)}>
        Unlink these…
      </GuardedButton>
      {isOpen ? (
        <ConfirmByName
          title={`Unlink ${count.toLocaleString('en')} secrets from ${type}/${name}`}
          name={name}
          action={`Unlink ${count.toLocaleString('en')} and delete in the store`}
          close={() => setIsOpen(false)}
          call={callFrom('')}
          carryOut={remove}
        >
          <p>
            What was written of them to {type}/{name} is deleted there, unless its deletion policy is{' '}
            <code>retain</code>. The secrets themselves stay.
          </p>
        </ConfirmByName>
      ) : null}
    </>
  );
}
