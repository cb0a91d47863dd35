import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { counted } from '../../kit/text/counted.ts';
import { useNow } from '../../kit/time.tsx';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';

const MOVING = ['PENDING', 'SYNCING', 'UNSYNCING', 'THROTTLED'];

// For so long nobody needs to hear that a sync takes long.
const LIMIT_MS = 60_000;

/** What becomes of the links of a destination after a change of it. `begin` is called once the change is saved. */
export function useResync(
  type: string,
  name: string,
  total: number | null,
): { begin: () => void; text: string; isFailing: boolean } {
  const [since, setSince] = useState(0);
  const { data: own, dataUpdatedAt } = useQuery(ownSummaryQuery(type, name));
  const isLate = useNow() > since + LIMIT_MS;
  const isNew = own && since > 0 && dataUpdatedAt >= since;
  const result = isNew ? resultOf(own, isLate) : null;
  return {
    begin: () => setSince(Date.now()),
    text: result?.text ?? beginning(total, own ?? null),
    isFailing: result?.isFailing ?? false,
  };
}

function beginning(total: number | null, own: DestinationSummaryAnswer | null): string {
  if (total === 0) return '';
  if (own?.held) return 'Syncing is paused: what changes is written once it is resumed.';
  return total === null ? 'Re-syncing its secrets.' : `Re-syncing ${counted(total, 'secret')}.`;
}

function resultOf(
  { total, by_status: counts, problems, held }: DestinationSummaryAnswer,
  isLate: boolean,
): { text: string; isFailing: boolean } | null {
  if (total === 0 || held) return null;
  const moving = MOVING.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  const failing = problems.reduce((sum, { count }) => sum + count, 0);
  if (moving > 0) {
    const text = `Not finished yet: ${moving} of ${counted(total, 'secret')} still to be synced. Links shows which.`;
    return isLate ? { text, isFailing: true } : null;
  }
  if (failing === 0)
    return {
      text: `${inSyncSubject(total)} in sync.`,
      isFailing: false,
    };
  const causes = [...new Set(problems.map(({ cause }) => titleOfCause(cause?.code ?? '')))].join(', ');
  const who = total === 1 ? 'Its secret' : `${failing} of ${counted(total, 'secret')}`;
  return { text: `${who} ${failing === 1 ? 'fails' : 'fail'}: ${causes}.`, isFailing: true };
}

function inSyncSubject(total: number): string {
  if (total === 1) return 'Its secret is';
  return total === 2 ? 'Both secrets are' : `All ${counted(total, 'secret')} are`;
}
