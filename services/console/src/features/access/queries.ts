import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  ListedPolicyAnswer,
  PoliciesAnswer,
  PolicyAnswer,
} from '../../../../api/contract/administration.ts';
import type { TokensAnswer } from '../../../../api/contract/tokens.ts';
import type { ChangedAnswer } from '../../../../api/contract/destinations.ts';
import type { ListedSessionAnswer, SessionsAnswer } from '../../../../api/contract/sessions.ts';
import { pathOf, read, readList } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import type { Right } from '../../api/right.ts';
import { readAllowed, readStamped, requireRight } from '../../api/rights.ts';

const ACCESSORS = 'auth/token/accessors';
/** The rights to the tokens, which are of everybody in the namespace. */
export const TOKENS_RIGHTS = ['read', 'sudo'].map((capability) => ({ path: ACCESSORS, capability }));

/** The order of tokens: newest first, or those that stay longest. */
export type TokenOrder = 'newest' | 'expiry';

/** The tokens of the namespace, a page at a time. */
export const tokensQuery = (order: TokenOrder = 'newest') =>
  infiniteQueryOptions({
    queryKey: ['tokens', order],
    queryFn: async ({ pageParam }) => {
      const before = pageParam === null ? '' : `&before=${pageParam}`;
      const sort = order === 'newest' ? '' : `&sort=${order}`;
      await requireRight(ACCESSORS);
      return read<TokensAnswer>(`${ACCESSORS}?limit=50${sort}${before}`, { rights: TOKENS_RIGHTS });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before: next }) => next,
  });

/** The right to list the policies. */
export const POLICIES: Right = { path: 'sys/policies/acl', capability: 'list' };

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: async () => (await read<{ keys: string[] }>('sys/policies/acl?list=true')).keys,
});

/** The same with what each tells of itself, by name. */
export const describedPoliciesQuery = queryOptions({
  queryKey: ['policies', 'described'],
  queryFn: async (): Promise<[name: string, info: ListedPolicyAnswer | undefined][]> => {
    const { keys, key_info: info } = await readAllowed<PoliciesAnswer>(
      'sys/policies/acl?list=true&details=true',
    );
    return keys.map((name) => [name, info?.[name]]);
  },
});

// As many as the API takes at once.
const MOST_ASKED = 20;

/** Those of some policies that allow to read values of secrets, as far as the caller may know. */
export const readingPoliciesQuery = (names: string[]) =>
  queryOptions({
    queryKey: ['policies', 'reading', ...names],
    queryFn: async () => {
      const query = new URLSearchParams({ list: 'true', reading: names.slice(0, MOST_ASKED).join(',') });
      const found = await readAllowed<PoliciesAnswer>(`sys/policies/acl?${query.toString()}`);
      return found.reading_values ?? [];
    },
    placeholderData: (previous) => previous,
    retry: false,
  });

/** The right to list the roles of tokens. */
export const TOKEN_ROLES: Right = { path: 'auth/token/roles', capability: 'list' };

export const tokenRolesQuery = queryOptions({
  queryKey: ['token-roles'],
  queryFn: async () => (await readList<{ keys: string[] }>('auth/token/roles?list=true', { keys: [] })).keys,
});

export const policyPath = (name: string): string => `sys/policies/acl/${pathOf(name)}`;

/** A policy, with its last change. A built-in policy has no revision. */
export type StoredPolicy = PolicyAnswer & ChangedAnswer;

/** Null: the policy is not written yet. */
export const policyQuery = (name: string) =>
  queryOptions({
    queryKey: ['policy', name],
    queryFn: async (): Promise<StoredPolicy | null> => {
      try {
        return await readStamped<PolicyAnswer>(policyPath(name));
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return null;
        throw error;
      }
    },
  });

/** Who is signed in, by the id of the session. The session that was used last comes first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => {
    const sessions: ({ id: string } & ListedSessionAnswer)[] = [];
    const empty: SessionsAnswer = { keys: [], key_info: {}, next_after: null };
    let after: string | null = null;
    do {
      const query = new URLSearchParams({ list: 'true', ...(after === null ? {} : { after }) });
      // Unlike the session itself, the list belongs to the namespace that the page shows.
      const page: SessionsAnswer = await readList(`auth/session?${query.toString()}`, empty);
      const { keys, key_info: info } = page;
      sessions.push(...keys.flatMap((id) => (info[id] ? [{ id, ...info[id] }] : [])));
      after = page.next_after;
    } while (after);
    return sessions;
  },
});
