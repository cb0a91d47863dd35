import { queryOptions } from '@tanstack/react-query';
import type { AlertAnswer, AlertDeliveriesAnswer, AlertListAnswer } from '../../../../api/contract/alerts.ts';
import { pathOf } from '../../api/client.ts';
import type { Right } from '../../api/right.ts';
import { readAllowed, readListAllowed, readStamped } from '../../api/rights.ts';

export const alertPath = (name: string): string => `sys/alerts/${pathOf(name)}`;

/** The right to new rules. */
export const RULE_CREATION: Right = { path: 'sys/alerts/+', capability: 'create' };

/** Every rule with its state. */
export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: async () => {
    const { keys, key_info: states } = await readListAllowed<AlertListAnswer>('sys/alerts?list=true', {
      keys: [],
      key_info: {},
    });
    return keys.flatMap((name) => {
      const state = states[name];
      return state ? [{ name, ...state }] : [];
    });
  },
  refetchInterval: 30_000,
});

export const alertQuery = (name: string) =>
  queryOptions({ queryKey: ['alerts', name], queryFn: () => readStamped<AlertAnswer>(alertPath(name)) });

/** The last messages of a rule, newest first. */
export const deliveriesQuery = (name: string) =>
  queryOptions({
    queryKey: ['alerts', name, 'deliveries'],
    queryFn: async () => {
      const path = `${alertPath(name)}/deliveries?limit=20`;
      return (await readAllowed<AlertDeliveriesAnswer>(path)).deliveries;
    },
    refetchInterval: 30_000,
  });
