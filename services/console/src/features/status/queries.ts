import { queryOptions } from '@tanstack/react-query';
import type { StatusAnswer } from '../../../../api/contract/status.ts';
import { rightFor } from '../../api/right.ts';
import { readAllowed } from '../../api/rights.ts';

/** The right to the state of what the service depends on. */
export const STATUS_RIGHT = rightFor('GET', 'sys/status');

/** The state of what the service depends on. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: () => readAllowed<StatusAnswer>('sys/status', { background: true }),
});
