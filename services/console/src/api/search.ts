import { queryOptions } from '@tanstack/react-query';
import type { FoundSecretsAnswer, SearchAnswer } from '../../../api/contract/secrets.ts';
import { read } from './client.ts';
import { ONCE } from './polling.ts';

const MOST_FOUND = 20;

/**
 * Finds destinations and secrets by a part of their name, in this namespace or (`below`) in all that the caller may see.
 * Asks nothing for less than two characters.
 */
export const searchQuery = (text: string, namespaces: 'here' | 'below' = 'here') =>
  queryOptions({
    queryKey: ['search', text, namespaces],
    queryFn: ({ signal }) => search(text, namespaces, signal),
    enabled: text.length > 1,
    staleTime: 30_000,
    ...ONCE,
  });

// One answer covers only a part of very many secrets.
async function search(
  text: string,
  namespaces: 'here' | 'below',
  signal: AbortSignal,
): Promise<Pick<SearchAnswer, 'secrets' | 'destinations'>> {
  const secrets: SearchAnswer['secrets'] = [];
  const destinations: SearchAnswer['destinations'] = [];
  let after: string | null = '';
  while (after !== null && secrets.length < MOST_FOUND) {
    const query = new URLSearchParams({ q: text, namespaces, ...(after ? { after } : {}) });
    const answer: SearchAnswer = await read(`sys/search?${query.toString()}`, {
      signal,
      // From the caller's own namespace on, every namespace that it may see is below.
      ...(namespaces === 'below' ? { namespace: null } : {}),
    });
    secrets.push(...answer.secrets);
    destinations.push(...answer.destinations);
    after = answer.next_after;
  }
  return { secrets, destinations };
}

/** Most secrets that a pattern or a folder stands for on a page. */
export const MOST_MATCHES = 5000;

export type MatchedSecrets = { paths: string[]; isWhole: boolean };

/** The secrets of a mount that have a text in their path, in any case; where the text has a `*`, it is a pattern of the path. */
export async function readMatches(
  mount: string,
  text: string,
  signal?: AbortSignal,
): Promise<MatchedSecrets> {
  const paths: string[] = [];
  let after: string | null = '';
  while (after !== null && paths.length < MOST_MATCHES) {
    const query = new URLSearchParams({ mount, [text.includes('*') ? 'pattern' : 'q']: text });
    if (after) query.set('after', after);
    const answer: FoundSecretsAnswer = await read(`sys/search/secrets?${query.toString()}`, { signal });
    paths.push(...answer.secrets.map(({ secret_name: path }) => path));
    after = answer.next_after;
  }
  return { paths: paths.slice(0, MOST_MATCHES), isWhole: after === null };
}

/** How many secrets are below a folder of a mount: the first ones that one request finds, and whether these are all. */
export const belowQuery = (mount: string, folder: string) =>
  queryOptions({
    queryKey: ['below', mount, folder],
    queryFn: async ({ signal }) => {
      // What stands for other text in a pattern may be a part of a name.
      const query = new URLSearchParams({ mount, pattern: `${folder}*` });
      const answer: FoundSecretsAnswer = await read(`sys/search/secrets?${query.toString()}`, { signal });
      const found = answer.secrets.filter(({ secret_name: path }) => path.startsWith(folder));
      return { count: found.length, isWhole: answer.next_after === null };
    },
    staleTime: 30_000,
    ...ONCE,
  });

export const matchesQuery = (mount: string, text: string) =>
  queryOptions({
    queryKey: ['matches', mount, text],
    queryFn: ({ signal }) => readMatches(mount, text, signal),
    enabled: mount !== '' && text !== '',
    staleTime: 30_000,
    ...ONCE,
  });
