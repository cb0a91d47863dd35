import { Link } from '@tanstack/react-router';
import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { useAsked } from './asked.tsx';
import { PauseAuthor } from './pause-author.tsx';
import { noneText, waitingOf, type Waiting } from './waiting.ts';

const MOST_NAMED = 3;

/** Says which destinations are paused; empty if none is. */
export function usePauses(destinations: DestinationSummaryAnswer[]): string {
  const nameOf = useDestinationName();
  const names = pausedOf(destinations).map((one) => nameOf(one.store_type, one.store_name));
  if (names.length === 0) return '';
  const shown = names.slice(0, MOST_NAMED).join(', ');
  const rest = names.length > MOST_NAMED ? ` and ${counted(names.length - MOST_NAMED, 'other')}` : '';
  return `${shown}${rest} ${names.length === 1 ? 'is' : 'are'} paused.`;
}

/** Names each destination that is paused: nothing fails there, but changes wait until somebody resumes it. */
export function PausedDestinations({ destinations }: { destinations: DestinationSummaryAnswer[] }) {
  const nameOf = useDestinationName();
  return pausedOf(destinations).map(({ store_type: type, store_name: name, paused, ...own }) => (
    <Notice key={`${type}/${name}`} tone="limited">
      <p>
        <Link to="/destinations/$type/$name" params={{ type, name }} search={{}}>
          {nameOf(type, name)}
        </Link>{' '}
        is paused
        {paused ? <PauseAuthor pause={paused} /> : null}
      </p>
      <p className={kit.muted}>
        <WaitingText type={type} name={name} counts={own.by_status} isDue={own.oldest_due_at !== null} />
        {paused?.until ? (
          <>
            {' '}
            Resumes <Time at={paused.until} />.
          </>
        ) : null}
      </p>
    </Notice>
  ));
}

// What people asked for of links that fail or drift is read only where there are such links.
function WaitingText({
  type,
  name,
  counts,
  isDue,
}: {
  type: string;
  name: string;
  counts: Record<string, number>;
  isDue: boolean;
}) {
  const isOpen = waitingOf(counts, isDue).mayBeMore;
  return waitingText(waitingOf(counts, isDue, useAsked({ type, name }, isOpen)));
}

function waitingText(waiting: Waiting): string {
  const { links, mayBeMore } = waiting;
  if (links === 0) return noneText(waiting);
  return `Changes of ${mayBeMore ? 'at least ' : ''}${counted(links, 'link')} are waiting.`;
}

function pausedOf(destinations: DestinationSummaryAnswer[]): DestinationSummaryAnswer[] {
  return destinations.filter(({ paused }) => paused !== null);
}
