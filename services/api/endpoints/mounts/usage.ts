import { Type } from 'typebox';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { findMount } from '../../../../libs/store/secrets/mounts.ts';
import { countDropped, countUses } from '../../../../libs/store/secrets/mount-usage.ts';
import { filterInSlices } from '../../../../libs/time/slices.ts';
import { mountUsageAnswer } from '../../contract/mounts.ts';
import { LARGEST_LIMIT } from '../kv/settings.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';

const PREFIX = 'sys/mount-usage/';

/** What would be lost with a mount. */
export const mountUsageEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/mount-usage/*path',
    access: 'policy',
    summary: 'Count the secrets of a mount and their links to destinations',
    answers: { 200: { data: mountUsageAnswer } },
    query: Type.Object({
      max_versions: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LARGEST_LIMIT,
          description: 'Also count which versions this limit of the mount would cost. 0: the default.',
        }),
      ),
    }),
    handle: async ({ services, namespace, path, query: { max_versions: most }, may }) => {
      const mount = await findMount(services.db, namespace.id, path.slice(PREFIX.length));
      if (!mount) throw notFound();
      const { destinations, ...usage } = await countUses(services.db, mount.id);
      const seen = await filterInSlices(destinations, ({ type, name }) =>
        may(`sys/sync/destinations/${type}/${name}`, 'read'),
      );
      const dropped = most === undefined ? {} : { dropped: await countDropped(services.db, mount, most) };
      return ok({ ...usage, destinations: seen, ...dropped });
    },
  }),
];
