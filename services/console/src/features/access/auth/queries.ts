import { queryOptions } from '@tanstack/react-query';
import type { AuthUsageAnswer, SecretIdsAnswer } from '../../../../../api/contract/mounts.ts';
import type { AuthMethodAnswer } from '../../../../../api/contract/mounts.ts';
import { ONCE } from '../../../api/polling.ts';
import { rightFor } from '../../../api/right.ts';
import { readAllowed } from '../../../api/rights.ts';
import { pathOf, read, readList } from '../../../api/client.ts';

/** An auth method; its path has no slash at its end. */
export type AuthMethod = AuthMethodAnswer & { path: string };

/** The right to the auth methods. */
export const METHODS = rightFor('GET', 'sys/auth');

export const methodPath = (path: string): string => `sys/auth/${pathOf(path)}`;
export const rolePath = (method: string, name: string): string =>
  `auth/${pathOf(method)}/role/${pathOf(name)}`;

/** The auth methods of the namespace, by path. */
export const methodsQuery = queryOptions({
  queryKey: ['auth-methods'],
  queryFn: async (): Promise<AuthMethod[]> => {
    const methods = await readAllowed<Record<string, AuthMethodAnswer>>('sys/auth');
    return Object.entries(methods)
      .map(([path, method]) => ({ ...method, path: path.replace(/\/$/, '') }))
      .toSorted((left, right) => (left.path < right.path ? -1 : 1));
  },
});

export const authUsageQuery = (path: string) =>
  queryOptions({
    queryKey: ['auth-usage', path],
    queryFn: () => read<AuthUsageAnswer>(`sys/auth-usage/${pathOf(path)}`),
    // What is about to be lost is counted anew each time.
    staleTime: 0,
    gcTime: 0,
    ...ONCE,
  });

/** The names of the roles of an auth method. */
export const rolesQuery = (method: string) =>
  queryOptions({
    queryKey: ['auth-roles', method],
    queryFn: async () =>
      (await readList<{ keys: string[] }>(`auth/${pathOf(method)}/role?list=true`, { keys: [] })).keys,
  });

/** Reads a role as its form shows it; a role of AppRole with its role id. */
export async function readRole(
  method: Pick<AuthMethod, 'path' | 'type'>,
  name: string,
): Promise<Record<string, unknown>> {
  const path = rolePath(method.path, name);
  const role = await read<Record<string, unknown>>(path);
  return method.type === 'approle' ? { ...role, ...(await read<object>(`${path}/role-id`)) } : role;
}

export const roleQuery = (method: Pick<AuthMethod, 'path' | 'type'>, name: string) =>
  queryOptions({
    queryKey: ['auth-role', method.path, name],
    queryFn: () => readRole(method, name),
  });

/** How an auth method verifies tokens; empty before somebody has said it. */
export const configQuery = (method: string) =>
  queryOptions({
    queryKey: ['auth-config', method],
    queryFn: () => readList<Record<string, unknown>>(`auth/${pathOf(method)}/config`, {}),
  });

/** A secret id without its secret. */
export type ListedSecretId = SecretIdsAnswer['key_info'][string] & { accessor: string };

export const secretIdsQuery = (method: string, role: string) =>
  queryOptions({
    queryKey: ['secret-ids', method, role],
    queryFn: async (): Promise<ListedSecretId[]> => {
      const empty: SecretIdsAnswer = { keys: [], key_info: {} };
      const found = await readList(`${rolePath(method, role)}/secret-id?list=true`, empty);
      return found.keys
        .flatMap((accessor) => {
          const info = found.key_info[accessor];
          return info ? [{ ...info, accessor }] : [];
        })
        .toSorted((left, right) => (left.creation_time > right.creation_time ? -1 : 1));
    },
  });
