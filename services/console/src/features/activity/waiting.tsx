import { useQuery } from '@tanstack/react-query';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { associationQuery, syncedToQuery, type SyncedToAnswer } from '../../api/queries.ts';
import { ownSummaryQuery, SUMMARY, summaryQuery } from '../../api/summary.ts';
import { Notice } from '../../kit/notice.tsx';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { counted } from '../../kit/text/counted.ts';
import { describeTime } from '../../kit/time.tsx';
import { StoreLink } from '../audit/store-link.tsx';
import type { SecretName } from '../secrets/split-path.ts';

const MOST_NAMED = 5;

type Waiting = { type: string; name: string; isLimited: boolean };

/** Says of each link of a secret that a pause or a rate limit holds it back: what waits leaves no line yet. */
export function WaitingLinks({ secret }: { secret: SecretName }) {
  const { data } = useQuery({
    ...syncedToQuery(secret.mount, secret.path),
  });
  const waiting = waitingOf(data ?? []);
  if (waiting.length === 0) return null;
  return (
    <Notice tone="limited">
      {waiting.slice(0, MOST_NAMED).map((link) => (
        <WaitingLink key={`${link.type}/${link.name}`} link={link} secret={secret} />
      ))}
      {waiting.length > MOST_NAMED ? (
        <p>So do changes for {counted(waiting.length - MOST_NAMED, 'other destination')}.</p>
      ) : null}
    </Notice>
  );
}

function WaitingLink({ link, secret }: { link: Waiting; secret: SecretName }) {
  const { type, name } = link;
  const { data: records } = useQuery(associationQuery(type, name, secret));
  return (
    <p>
      {whatOf(records?.[0]?.source_version)} waits for <StoreLink type={type} name={name} />:{' '}
      {useReason(link)}
    </p>
  );
}

// Null: no version is to be in the store any more.
function whatOf(version: number | null | undefined): string {
  if (version === undefined) return 'A change';
  return version === null ? 'The deletion of its entries' : `Version ${version}`;
}

function useReason({ type, name, isLimited }: Waiting): string {
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  const { data: all } = useQuery({ ...summaryQuery, enabled: useHasRights([SUMMARY]) });
  if (isLimited)
    return `rate limited${own?.throttled_until ? ` until ${describeTime(own.throttled_until)}` : ''}.`;
  const { by, since, until, changed_at: changed } = own?.paused ?? all?.paused ?? {};
  const author = by ? ` by ${actorText(by)}` : '';
  return [
    'paused',
    changed === since ? author : '',
    since ? ` since ${describeTime(since)}` : '',
    changed === since ? '' : `, changed${author}`,
    until ? `, resumes ${describeTime(until)}` : '',
    '.',
  ].join('');
}

// A destination that has an entry for each key stands once.
function waitingOf(entries: SyncedToAnswer[]): Waiting[] {
  const waiting = new Map<string, Waiting>();
  for (const { type, name, sync_status: status, cause, waiting: demand } of entries) {
    const isLimited = status === 'THROTTLED';
    if (isLimited || demand || cause?.code === 'paused')
      waiting.set(`${type}/${name}`, { type, name, isLimited });
  }
  return [...waiting.values()];
}
