import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkAnswer } from '../../../../api/contract/plans.ts';
import { change } from '../../api/client.ts';
import { destinationPath, type RowFilter } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmByName } from '../../kit/confirm.tsx';

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
  const remove = async (): Promise<void> => {
    const path = `${destinationPath(type, name)}/associations/remove-many`;
    const { status, ...rest } = filter;
    const wanted = { ...rest, ...(status ? { status: [status] } : {}) };
    let after: string | null = '';
    while (after !== null) {
      const answer: BulkAnswer = await change('POST', path, { ...wanted, after });
      after = answer.next_after;
    }
    await queries.invalidateQueries();
  };
  return (
    <>
      <Button kind="danger" onClick={() => setIsOpen(true)}>
        Unlink these…
      </Button>
      {isOpen ? (
        <ConfirmByName
          title={`Unlink ${count.toLocaleString('en')} secrets from ${type}/${name}`}
          name={name}
          action={`Unlink ${count.toLocaleString('en')} and delete in the store`}
          close={() => setIsOpen(false)}
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
