import { queryOptions } from '@tanstack/react-query';
import type { StatusAnswer } from '../../../../api/contract/status.ts';
import { read } from '../../api/client.ts';
import { mayAskAgain } from '../../api/polling.ts';

const EVERY_MS = 10_000;

/** The state of what the service depends on. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: () => read<StatusAnswer>('sys/status', { background: true }),
  refetchInterval: ({ state }) => mayAskAgain(state) && EVERY_MS,
});
