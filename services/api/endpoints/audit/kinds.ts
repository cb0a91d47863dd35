import { actionOf, createActionSpellings } from '../../audit/action.ts';
import type { AuditFilters } from '../../../../libs/store/audit/list.ts';
import type { Endpoint } from '../../routing/endpoint.ts';

// They show values, though they are no GET.
const ALSO_READS = ['POST /sys/reveal/*path', 'POST /sys/wrapping/unwrap'];

// They show what would be written, and write nothing.
const PREVIEWS = [
  'POST /sys/sync/destinations/:type/:name/plan',
  'POST /sys/sync/destinations/:type/:name/preview',
  'POST /sys/sync/destinations/:type/:name/associations/plan',
];

/** What the actions of the trail mean. `like`: the spellings of one. `changingNothing`: all that leave everything as it was. */
export type ActionKinds = {
  like: (action: string) => string[];
  reads: () => string[];
  changingNothing: () => string[];
};

/** What entries are asked for: reads of values of secrets, or what could change something. */
export type EntryKind = 'read' | 'change';

/** The actions that a kind leaves, and those that it leaves out. */
export function kindFilters(
  kind: EntryKind | undefined,
  actions: ActionKinds,
): Pick<AuditFilters, 'among' | 'withoutAction'> {
  return {
    among: kind === 'read' ? actions.reads() : undefined,
    withoutAction: kind === 'change' ? actions.changingNothing() : undefined,
  };
}

/** The actions of all endpoints. */
export function createActionKinds(rows: () => Endpoint[]): ActionKinds {
  const like = createActionSpellings(rows);
  const spelled = (isWanted: (row: Endpoint) => boolean, also: string[] = []): string[] => [
    ...new Set(
      rows()
        .filter(isWanted)
        .map((row) => actionOf(row, row.method))
        .concat(ALSO_READS, also)
        .flatMap(like),
    ),
  ];
  let reads: string[] | undefined;
  let changingNothing: string[] | undefined;
  return {
    like,
    reads: () => (reads ??= spelled(({ readsSecrets }) => readsSecrets === true)),
    changingNothing: () =>
      (changingNothing ??= spelled(
        ({ method, changesNothing }) => method === 'GET' || method === 'LIST' || changesNothing === true,
        PREVIEWS,
      )),
  };
}
