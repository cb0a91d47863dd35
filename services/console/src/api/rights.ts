import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { Right } from './right.ts';

/** What the caller may do with the path of a right; `root`: everything. */
export const capabilitiesQuery = ({ path, capability }: Right) => {
  const asked = capability === 'list' ? `${path}/` : path;
  return queryOptions({
    queryKey: ['capabilities', asked],
    queryFn: async () => {
      const body = { paths: [asked] };
      const { data } = await call<{ data: { capabilities: string[] } }>('POST', 'sys/capabilities-self', {
        body,
        background: true,
      });
      return data.data.capabilities;
    },
    staleTime: 30_000,
    retry: false,
  });
};
