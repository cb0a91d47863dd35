import { Type } from 'typebox';
import { updateMount } from '../../../../libs/store/secrets/mounts.ts';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { describeChanges } from '../../../../libs/validation/changes.ts';
import { tellChange } from '../../events/tell-change.ts';
import { endpoint, isThere, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { presentLimits } from '../../presenters/secret.ts';
import { limitsBody, limitsOf } from './settings.ts';
import { limitsAnswer } from '../../contract/secrets.ts';

const PATH = '/~kv2/config';

/** The limits of a whole version 2 mount. */
export const kvConfigEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'Read the limits of a mount',
    answers: { 200: { data: limitsAnswer } },
    handle: async ({ mount }) => {
      if (!mount) throw notFound();
      return ok(presentLimits(mount.mount));
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Set limits of a mount; absent fields keep their values',
    answers: { 204: {} },
    body: Type.Object(limitsBody),
    exists: isThere,
    handle: async (request) => {
      const { services, body, mount, note } = request;
      if (!mount) throw notFound();
      const limits = limitsOf(body, { allowNegative: true });
      const before: Record<string, unknown> = mount.mount;
      note({ mount: mount.mount.path, changed: describeChanges(before, { ...before, ...limits }) });
      await updateMount(services.db, mount.mount.id, limits);
      tellChange(request, { operation: 'config-write' });
      return noContent();
    },
  }),
];
