import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import type { Right } from './right.ts';

/** Whether the caller lacks a right. */
export const lacksQuery = ({ path, capability }: Right) =>
  queryOptions({
    queryKey: ['lacks', path, capability],
    queryFn: async () => {
      const asked = capability === 'list' ? `${path}/` : path;
      const body = { paths: [asked] };
      const { data } = await call<{ data: { capabilities: string[] } }>('POST', 'sys/capabilities-self', {
        body,
      });
      const given = data.data.capabilities;
      return !given.includes('root') && !given.includes(capability);
    },
    staleTime: 30_000,
    retry: false,
  });
