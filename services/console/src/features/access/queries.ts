import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ChangedAnswer, SessionsAnswer } from '../../../../api/contract/answers.ts';
import { pathOf, read, readList } from '../../api/client.ts';

export type TokenAnswer = {
  accessor: string;
  display_name: string;
  policies: string[];
  expire_time: string | null;
  issue_time: string;
  last_used_time?: string;
  orphan: boolean;
  num_uses: number;
};

type Tokens = { tokens: TokenAnswer[]; next_before: number | null };

/** The tokens of the namespace, newest first, a page at a time. */
export const tokensQuery = infiniteQueryOptions({
  queryKey: ['tokens'],
  queryFn: ({ pageParam }) => {
    const before = pageParam === null ? '' : `&before=${pageParam}`;
    return read<Tokens>(`auth/token/accessors?limit=50${before}`);
  },
  initialPageParam: null as number | null,
  getNextPageParam: ({ next_before: next }) => next,
});

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: async () => (await read<{ keys: string[] }>('sys/policies/acl?list=true')).keys,
});

export const policyPath = (name: string): string => `sys/policies/acl/${pathOf(name)}`;

/** A built-in policy has no revision. Null: the policy is not written yet. */
export type PolicyAnswer = { policy: string } & Partial<ChangedAnswer>;

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
