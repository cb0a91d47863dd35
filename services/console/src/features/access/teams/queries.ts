import { queryOptions } from '@tanstack/react-query';
import type { TeamAnswer, TeamsAnswer } from '../../../../../api/contract/sessions.ts';
import { pathOf } from '../../../api/client.ts';
import { readListAllowed } from '../../../api/rights.ts';

/** A team of the identity provider, with the policies of its members in the namespace. */
export type Team = TeamAnswer & { name: string };

export const teamPath = (name: string): string => `sys/teams/${pathOf(name)}`;

/** The teams of the namespace, by name. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: async (): Promise<Team[]> => {
    const empty: TeamsAnswer = { keys: [], key_info: {} };
    const { keys, key_info: info } = await readListAllowed('sys/teams?list=true', empty);
    return keys.flatMap((name) => (info[name] ? [{ name, ...info[name] }] : []));
  },
});
