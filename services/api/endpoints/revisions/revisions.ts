import { notFound, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { findPolicy } from '../../../../libs/store/access/policies.ts';
import { lookUpDestination } from '../../../../libs/store/destinations/destinations.ts';
import { findAlertRule } from '../../../../libs/store/notifications/rules.ts';
import type { Stamp } from '../../../../libs/validation/preconditions.ts';
import { findDestinationType } from '../../../connectors/catalog.ts';
import { presentChanged } from '../../presenters/changed.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { changedAnswer } from '../../contract/destinations.ts';

const PREFIX = 'sys/revisions/';

type Find = (request: ApiRequest, names: string[]) => Promise<Stamp | undefined>;

const KINDS: { path: RegExp; find: Find }[] = [
  {
    path: /^sys\/polic(?:ies\/acl|y)\/([^/]+)$/,
    find: async ({ services, namespace }, [name = '']) =>
      findPolicy(services.db, namespace.id, name.toLowerCase()),
  },
  {
    path: /^sys\/alerts\/([^/]+)$/,
    find: async ({ services, namespace }, [name = '']) =>
      findAlertRule(services.db, { namespaceId: namespace.id, name }),
  },
  {
    path: /^sys\/sync\/destinations\/([^/]+)\/([^/]+)$/,
    find: async ({ services, namespace }, [spelling = '', name = '']) => {
      const { type = '' } = findDestinationType(spelling) ?? {};
      return lookUpDestination(services.db, { namespaceId: namespace.id, type, name });
    },
  },
];

/**
 * Who changed a thing last. It stands beside the thing: clients of similar services compare what they read with what
 * they wrote.
 */
export const revisionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/revisions/*path',
    access: 'token',
    summary:
      'Read the revision of a destination, policy or rule for alerts, who changed it last, and when; needs `read` on its path',
    answers: { 200: { data: changedAnswer } },
    handle: async (request) => {
      const path = request.path.slice(PREFIX.length);
      if (!request.may(path, 'read')) throw permissionDenied();
      for (const { path: pattern, find } of KINDS) {
        const match = pattern.exec(path);
        const stamp = match && (await find(request, match.slice(1)));
        if (stamp) return ok(presentChanged(stamp));
      }
      throw notFound();
    },
  }),
];
