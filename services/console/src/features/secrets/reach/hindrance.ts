import { useQueries, type QueryClient } from '@tanstack/react-query';
import { QUIET_MS } from '../../../api/polling.ts';
import { actorText } from '../../../../../../libs/telling/actor.ts';
import type { WaitingAnswer } from '../../../../../api/contract/pause.ts';
import type { SyncedToAnswer } from '../../../api/queries.ts';
import { ownSummaryQuery } from '../../../api/summary.ts';
import { titleOfCause } from '../../../../../../libs/telling/cause-titles.ts';

/** What keeps a change of a secret from a destination, or does something else there. */
export type Hindrance = {
  /** How many of its entries there aren’t Sealift’s. */
  foreign: 'none' | 'some' | 'all';
  /** What somebody decided about those, so that a version is written all the same. */
  decision: Decision | null;
  /** Somebody changed an entry in the store, and nothing has overwritten that yet. */
  isChanged: boolean;
  /** What has to end before a version is written there; empty if nothing has. */
  once: string;
  /** The same before its entries are deleted; empty if it has none. */
  onceDeleted: string;
  /** Which entries get no version, while the others do; empty if none. */
  except: string;
  /** That it is being unlinked, so that no version is written; empty if it isn’t. */
  unlinking: string;
};

/** `text`: who asked for what; `where`: in what way a version is written then. */
type Decision = { text: string; where: string };

/** The same for each destination of a secret, by type and name. */
export function useHindrances(links: SyncedToAnswer[]): Map<string, Hindrance> {
  const stores = storesOf(links);
  const summaries = useQueries({ queries: stores.map((store) => ownSummaryQuery(...partsOf(store))) });
  return new Map(
    stores.map((store, index) => [store, hindranceOf(entriesOf(links, store), summaries[index]?.data)]),
  );
}

/** The same for one destination. */
export async function readHindrance(
  queries: QueryClient,
  links: SyncedToAnswer[],
  store: string,
): Promise<Hindrance> {
  // Many secrets may have the same destination.
  const query = { ...ownSummaryQuery(...partsOf(store)), staleTime: QUIET_MS };
  const summary = await queries.fetchQuery(query).catch(() => null);
  return hindranceOf(entriesOf(links, store), summary);
}

/** The destinations of links, by type and name. */
export function storesOf(links: SyncedToAnswer[]): string[] {
  return [...new Set(links.map(({ type, name }) => `${type}/${name}`))];
}

function partsOf(store: string): [type: string, name: string] {
  const [type = '', name = ''] = store.split('/');
  return [type, name];
}

/** The links of entries at one destination. */
export function entriesOf(links: SyncedToAnswer[], store: string): SyncedToAnswer[] {
  return links.filter(({ type, name }) => `${type}/${name}` === store);
}

function hindranceOf(
  entries: SyncedToAnswer[],
  summary: { held: unknown; throttled_until: unknown } | null | undefined,
): Hindrance {
  const codes = entries
    .filter(({ sync_status: status }) => status.endsWith('ERROR'))
    .flatMap(({ cause }) => (cause ? [cause.code] : []));
  const conflicts = codes.filter((code) => code === 'conflict').length;
  const others = codes.filter((code) => code !== 'conflict');
  const [other] = others;
  const resolved = other === undefined ? '' : `“${titleOfCause(other)}”`;
  const foreign = conflicts === 0 ? 'none' : conflicts < entries.length ? 'some' : 'all';
  const waiting = entries.find((entry) => entry.waiting)?.waiting;
  const hold =
    summary?.held || waiting
      ? ' once the pause ends'
      : summary?.throttled_until
        ? ' once the rate limit of the store has ended'
        : '';
  const isStuck = others.length > 0 && others.length + conflicts === entries.length;
  const hasEntries = entries.some(({ sync_status: status }) => status !== 'UNSYNCED');
  const who = waiting?.by ? actorText(waiting.by) : 'somebody';
  return {
    foreign,
    isChanged: entries.some(({ drift }) => drift === 'changed_outside'),
    decision: waiting ? decisionOf(waiting, who, foreign) : null,
    unlinking: entries.some(({ unlinking }) => unlinking)
      ? `this secret is being unlinked from it${waiting?.cause === 'unlink' ? ` (${who} asked for that)` : ''}`
      : '',
    once: hold || (isStuck ? ` once ${resolved} is resolved` : ''),
    // Nobody is in the way of a deletion.
    onceDeleted: hasEntries
      ? hold || (isStuck && other !== 'blocked' ? ` once ${resolved} is resolved` : '')
      : '',
    except: resolved && !isStuck ? `, except where ${resolved} prevents that` : '',
  };
}

function decisionOf(
  { cause, decision }: WaitingAnswer,
  who: string,
  foreign: Hindrance['foreign'],
): Decision | null {
  if (cause === 'rename') return { text: `${who} gave the link another name`, where: ' under its new name' };
  if (decision === null || foreign === 'none') return null;
  const them = foreign === 'all' ? 'the entry' : 'the entries';
  return { text: `${who} asked to ${decision} ${them} of somebody else`, where: '' };
}
