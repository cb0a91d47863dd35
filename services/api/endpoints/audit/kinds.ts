import { actionOf, createActionSpellings } from '../../audit/action.ts';
import type { Endpoint } from '../../routing/endpoint.ts';

// They show values, though they are no GET.
const ALSO_READS = ['POST /sys/reveal/*path', 'POST /sys/wrapping/unwrap'];

/** What the actions of the trail mean. `like`: the spellings of one. `changingNothing`: all that leave everything as it was. */
export type ActionKinds = {
  like: (action: string) => string[];
  reads: () => string[];
  changingNothing: () => string[];
};

/** The actions of all endpoints. */
export function createActionKinds(rows: () => Endpoint[]): ActionKinds {
  const like = createActionSpellings(rows);
  const spelled = (isWanted: (row: Endpoint) => boolean): string[] => [
    ...new Set(
      rows()
        .filter(isWanted)
        .map((row) => actionOf(row, row.method))
        .concat(ALSO_READS)
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
      )),
  };
}
