import { queryOptions } from '@tanstack/react-query';
import type { PolicyEngineVersionAnswer } from '../../../../api/contract/administration.ts';
import { call } from '../../api/client.ts';
import { requireRight } from '../../api/rights.ts';

type Answer = {
  data: PolicyEngineVersionAnswer[];
  meta: { pagination: { 'total-pages': number; 'total-count': number } };
};

export const enginePath = (engine: string): string => `/api/v2/admin/${engine}`;

/** A page of an engine's versions, newest first. */
export const versionsQuery = (engine: string, search: string, page: number) =>
  queryOptions({
    queryKey: ['versions', engine, search, page],
    queryFn: async () => {
      await requireRight(enginePath(engine));
      const query = new URLSearchParams({ 'page[number]': String(page), 'page[size]': '50' });
      if (search) query.set('search[version]', search);
      const { data } = await call<Answer>('GET', `${enginePath(engine)}?${query.toString()}`);
      const { 'total-pages': pages, 'total-count': total } = data.meta.pagination;
      return { versions: data.data, pages, total };
    },
  });
