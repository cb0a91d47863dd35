import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { Action } from '../../kit/rights/action.tsx';
import { noteRetry } from './retries.tsx';
import { planOf, type RetryFilter } from '../plans/plan.ts';
import { PlannedDialog } from '../plans/planned-dialog.tsx';
import { counted } from '../../kit/text/counted.ts';

/** Retries all matching associations now, after it has shown what that writes. */
export function RetryButton({
  type,
  name,
  filter,
  children,
}: {
  type: string;
  name: string;
  filter: RetryFilter;
  children: string;
}) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const path = `${destinationPath(type, name)}/associations/retry`;
  const call: Call = { method: 'POST', path, body: filter };
  const store = useDestinationName()(type, name);
  return (
    <>
      <Action call={call} aria-label={`${children} ${store}`} onClick={() => setIsOpen(true)}>
        {children}
      </Action>
      {isOpen ? (
        <PlannedDialog
          title={`Retry links of ${store}`}
          store={store}
          name={name}
          plan={planOf(type, name, { filter })}
          action={retryText}
          close={() => setIsOpen(false)}
          call={call}
          carryOut={async () => {
            await carryOut(call);
            noteRetry({ type, name, cause: filter.cause });
            await queries.invalidateQueries();
          }}
        >
          <p>Each of these links is retried now, and writes the current value of its secret.</p>
        </PlannedDialog>
      ) : null}
    </>
  );
}

/** The text of a button that retries: `changes` is the number of entries that it writes, null if nobody knows it. */
export function retryText(changes: number | null): string {
  if (changes === null) return 'Retry all';
  return changes === 0 ? 'Retry' : `Retry and change ${entries(changes)}`;
}

/** A number of entries, as people write it. */
export function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}
