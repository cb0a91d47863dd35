import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { searchQuery } from '../../api/search.ts';
import { usePaused } from '../../kit/paused.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import type { Option } from '../../kit/picker/options.ts';
import { TOKENS_RIGHTS, tokensQuery } from '../access/queries.ts';

/** What can be chosen for a filter of the audit trail besides the words of its entries, as far as the user may list it. */
export function useFilterOptions(name: string, text: string): Option[] {
  const mayList = useHasRights(TOKENS_RIGHTS);
  const isOfToken = name === 'actor' || name === 'token';
  const { data: tokens } = useInfiniteQuery({ ...tokensQuery, enabled: mayList && isOfToken, retry: false });
  const { data: found } = useQuery(searchQuery(usePaused(name === 'secret' ? text.trim() : '')));
  if (name === 'secret')
    return (found?.secrets ?? []).map(({ mount, secret_name: path }) => ({ value: `${mount}/${path}` }));
  const all = (tokens?.pages ?? []).flatMap((page) => page.tokens);
  if (name === 'token') return all.map(({ accessor, display_name: about }) => ({ value: accessor, about }));
  const names = new Set(name === 'actor' ? all.map((token) => token.display_name) : []);
  return [...names].filter(Boolean).map((value) => ({ value }));
}
