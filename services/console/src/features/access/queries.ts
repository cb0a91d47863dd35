import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { PolicyAnswer, TokensAnswer } from '../../../../api/contract/administration.ts';
import type { SessionsAnswer } from '../../../../api/contract/answers.ts';
import { pathOf, read, readList } from '../../api/client.ts';

/** The tokens of the namespace, newest first, a page at a time. */
export const tokensQuery = infiniteQueryOptions({
  queryKey: ['tokens'],
  queryFn: ({ pageParam }) => {
    const before = pageParam === null ? '' : `&before=${pageParam}`;
    return read<TokensAnswer>(`auth/token/accessors?limit=50${before}`);
  },
  initialPageParam: null as number | null,
  getNextPageParam: ({ next_before: next }) => next,
});

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: async () => (await read<{ keys: string[] }>('sys/policies/acl?list=true')).keys,
});

export const policyPath = (name: string): string => `sys/policies/acl/${pathOf(name)}`;

/** Null: the policy is not written yet. */
export const policyQuery = (name: string) =>
  queryOptions({
    queryKey: ['policy', name],
    queryFn: () => readList<PolicyAnswer | null>(policyPath(name), null),
  });

/** Who is signed in, by the id of the session. The session that was used last comes first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => {
    const empty: SessionsAnswer = { keys: [], key_info: {} };
    // Unlike the session itself, the list belongs to the namespace that the page shows.
    const { keys, key_info: info } = await readList('auth/session?list=true', empty);
    return keys.flatMap((id) => (info[id] ? [{ id, ...info[id] }] : []));
  },
});
