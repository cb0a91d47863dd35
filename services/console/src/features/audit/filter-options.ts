import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { AuditNamesAnswer } from '../../../../api/contract/administration.ts';
import { call } from '../../api/client.ts';
import { ONCE } from '../../api/polling.ts';
import { destinationNamesQuery, LIST_DESTINATIONS } from '../../api/queries.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { AUDIT } from '../../api/right.ts';
import { usePaused } from '../../kit/paused.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { namedOptions, optionsOf, type Option } from '../../kit/picker/options.ts';
import { TOKENS_RIGHTS, tokensQuery } from '../access/queries.ts';
import { AUDIT_PATH } from './events.ts';
import { PHRASES } from '../../../../../libs/telling/phrases.ts';

const OF_THE_TRAIL = ['address', 'secret'];

const ACTIONS = namedOptions(
  Object.entries(PHRASES).map(([code, phrase]) => {
    const words = phrase.replaceAll(/ ?:[a-zA-Z]+/g, '');
    return { code, name: words.charAt(0).toUpperCase() + words.slice(1) };
  }),
);

/** What can be chosen for a filter of the audit trail: names from the whole trail, and what the user may list. */
export function useFilterOptions(name: string, text: string): Option[] {
  const mayListTokens = useHasRights(TOKENS_RIGHTS);
  const mayListDestinations = useHasRights([LIST_DESTINATIONS]);
  const tokens = useInfiniteQuery({
    ...tokensQuery(),
    enabled: mayListTokens && name === 'token',
    retry: false,
  });
  const destinations = useQuery({
    ...destinationNamesQuery,
    enabled: mayListDestinations && name === 'destination',
  });
  const nameOf = useDestinationName();
  const wanted = usePaused(text.trim());
  const names = useTrailNames(name, wanted);
  const mayReadTrail = useHasRights([AUDIT]);
  const people = usePeople(wanted, mayReadTrail && name === 'who');
  if (name === 'action') return ACTIONS;
  if (name === 'who') return optionsOf(people.map(actorText));
  if (name === 'destination')
    return namedOptions(
      (destinations.data ?? []).map(({ type, name: own }) => ({
        code: `${type}/${own}`,
        name: nameOf(type, own),
      })),
    );
  if (name !== 'token') return names.map((value) => ({ value }));
  const all = (tokens.data?.pages ?? []).flatMap((page) => page.tokens);
  return namedOptions(
    all.map(({ accessor, display_name: own }) => ({ code: accessor, name: actorText(own) })),
  );
}

// The shown entries have only few of them: who did something last week must be offered too.
function useTrailNames(name: string, contains: string): string[] {
  const { data } = useQuery({
    queryKey: ['audit', 'names', name, contains],
    queryFn: ({ signal }) => readNames(name, contains, signal),
    enabled: OF_THE_TRAIL.includes(name),
    staleTime: 30_000,
    ...ONCE,
    placeholderData: keepPreviousData,
  });
  return data ?? [];
}

/** The persons and tokens in the whole trail whose names contain a text; empty: any. */
export function usePeople(contains: string, enabled: boolean): string[] {
  const { data } = useQuery({
    queryKey: ['audit', 'people', contains],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(['user', 'actor'].map((kind) => readNames(kind, contains, signal)));
      return [...new Set(found.flat())];
    },
    enabled,
    staleTime: 30_000,
    ...ONCE,
    placeholderData: keepPreviousData,
  });
  return enabled ? (data ?? []) : [];
}

async function readNames(kind: string, contains: string, signal: AbortSignal): Promise<string[]> {
  const query = new URLSearchParams({ of: kind, ...(contains ? { contains } : {}) });
  const path = `${AUDIT_PATH}/names?${query.toString()}`;
  return (await call<AuditNamesAnswer>('GET', path, { signal })).data.data;
}
