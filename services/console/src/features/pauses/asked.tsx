import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { WaitingAnswer } from '../../../../api/contract/pause.ts';
import type { LinksAnswer, RowsAnswer } from '../../../../api/contract/associations.ts';
import { BUSY_MS, mayAskAgain } from '../../api/polling.ts';
import { destinationPath } from '../../api/queries.ts';
import { readAllowed } from '../../api/rights.ts';
import { useDestinationName } from '../../api/vendors.ts';
import kit from '../../kit/kit.module.css';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { PathText } from '../../kit/text/path-text.tsx';
import { effectOf, isLoss, shortDeedOf } from './deeds.ts';
import type { Subject } from './pause-button.tsx';

const MOST_READ = 200;
const MOST_NAMED = 10;

type AskedLink = { type: string; name: string; secret: string; status: string; waiting: WaitingAnswer };

/** The links that will carry out what people asked for, at most 200. */
export type Asked = { links: AskedLink[]; mayBeMore: boolean };

/** The same for a destination, or for all of them; undefined while it is not known, or without the right to know. */
export function useAsked(subject: Subject, isWanted = true): Asked | undefined {
  const path = subject
    ? `${destinationPath(subject.type, subject.name)}/associations/rows`
    : 'sys/sync/links';
  const mayRead = useHasRights([{ path, capability: 'read' }]);
  const { data } = useQuery({
    queryKey: ['asked', path],
    queryFn: () => readAllowed<RowsAnswer | LinksAnswer>(`${path}?waiting=true&limit=${MOST_READ}`),
    enabled: isWanted && mayRead,
    // Somebody else may ask for something, or withdraw it, while a question lists it.
    refetchInterval: ({ state }) => mayAskAgain(state) && BUSY_MS,
  });
  if (!data) return undefined;
  const links = 'rows' in data ? ofRows(data) : ofLinks(data);
  return { links, mayBeMore: data.next_after !== null };
}

function ofRows({ rows, store_type: type, store_name: name }: RowsAnswer): AskedLink[] {
  return rows.flatMap(({ mount, secret_name: path, sync_status: status, waiting }) =>
    waiting ? [{ type, name, secret: `${mount}/${path}`, status, waiting }] : [],
  );
}

function ofLinks({ links }: LinksAnswer): AskedLink[] {
  return links.flatMap(
    ({ type, destination: name, mount, secret_name: path, sync_status: status, waiting }) =>
      waiting ? [{ type, name, secret: `${mount}/${path}`, status, waiting }] : [],
  );
}

/** Whether the destination of a link is paused itself; `paused`: all such destinations, as `type/name`. */
export function staysPaused({ type, name }: AskedLink, paused: string[]): boolean {
  return paused.includes(`${type}/${name}`);
}

// First what somebody else loses, and of that what nobody has decided about; last what goes on waiting.
function rankOf(link: AskedLink, paused: string[]): number {
  if (staysPaused(link, paused)) return 3;
  if (link.waiting.overwrites_drift) return 0;
  return isLoss(link.waiting) ? 1 : 2;
}

/** Names them: which link, what was asked for, and by whom. */
export function AskedList({
  demands: { links, mayBeMore },
  subject,
  paused,
}: {
  demands: Asked;
  subject: Subject;
  /** Destinations that stay paused themselves, as `type/name`. */
  paused: string[];
}) {
  if (links.length === 0) return null;
  const more = links.length - MOST_NAMED;
  return (
    <>
      <p>In particular:</p>
      <ul>
        {links
          .toSorted((left, right) => rankOf(left, paused) - rankOf(right, paused))
          .slice(0, MOST_NAMED)
          .map((link) => (
            <li key={`${link.type}/${link.name} ${link.secret}`}>
              <AskedText link={link} hasStore={subject === null} />
              {staysPaused(link, paused) ? ' – its destination stays paused' : null}
            </li>
          ))}
        {more > 0 ? (
          <li>
            and {mayBeMore ? 'at least ' : ''}
            {more.toLocaleString('en')} more
          </li>
        ) : null}
      </ul>
    </>
  );
}

function AskedText({
  link: { type, name, secret, waiting },
  hasStore,
}: {
  link: AskedLink;
  /** Whether the destination is named. */
  hasStore: boolean;
}) {
  const nameOf = useDestinationName();
  const effect = effectOf(waiting);
  return (
    <>
      <Link to="/destinations/$type/$name/secret/$" params={{ type, name, _splat: secret }}>
        <PathText path={secret} />
      </Link>
      {hasStore ? ` in ${nameOf(type, name)}` : null}: {shortDeedOf(waiting)}
      {waiting.by ? `, by ${actorText(waiting.by)}` : null}
      {effect === '' ? null : <span className={kit.muted}> ({effect})</span>}
    </>
  );
}
