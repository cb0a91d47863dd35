import { notFound } from '../../../../libs/errors/request-error.ts';
import { findAuthMount } from '../../../../libs/store/auth/mounts.ts';
import { countAuthUses } from '../../../../libs/store/auth/usage.ts';
import { authUsageAnswer } from '../../contract/mounts.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';

const PREFIX = 'sys/auth-usage/';

/** What would be lost with an auth method. */
export const authUsageEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/auth-usage/*path',
    access: 'policy',
    summary: 'Count the roles and secret ids of an auth method, and the tokens of its log-ins',
    answers: { 200: { data: authUsageAnswer } },
    handle: async ({ services, namespace, path }) => {
      const mount = await findAuthMount(services.db, namespace.id, path.slice(PREFIX.length));
      if (!mount) throw notFound();
      return ok(await countAuthUses(services.db, mount));
    },
  }),
];
