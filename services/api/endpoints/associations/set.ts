import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { probeNow } from '../../../../libs/store/orders/probes.ts';
import { lookUpRecord } from '../../../../libs/store/associations/records.ts';
import { endpoint, type Endpoint } from '../../routing/endpoint.ts';
import {
  decisionSchema,
  decidedKeysSchema,
  expectedSchema,
  namedSecret,
  noteNamed,
  onlyLinkedSchema,
  onlySeenSchema,
  ownTemplateSchema,
  presentList,
  refuseKeysAlone,
  requireMount,
  secretBody,
} from './common.ts';
import { link } from './link.ts';
import { requireReadable } from './source.ts';
import { waitForOutcome } from './wait.ts';
import { findNamed, noDestination } from '../named-destination.ts';
import { recordsAnswer } from '../../contract/associations.ts';

/** Linking a secret to a destination. If it is linked already, the call is a refresh or a retry. */
export const associationSetEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/sync/destinations/:type/:name/associations/set',
    access: 'policy',
    summary:
      'Link a secret to a destination and sync it; waits up to 1 s unless `Prefer: respond-async` is sent',
    answers: { 200: { data: recordsAnswer } },
    body: Type.Object({
      ...secretBody.properties,
      conflict_policy: decisionSchema,
      expected: expectedSchema,
      keys: decidedKeysSchema,
      secret_name_template: ownTemplateSchema,
      only_linked: onlyLinkedSchema,
      only_seen: onlySeenSchema,
    }),
    handle: async (request) => {
      const { services } = request;
      const secret = namedSecret(request.body);
      await noteNamed(request, secret);
      const {
        conflict_policy: decision,
        expected,
        keys,
        secret_name_template: template,
        only_linked: onlyLinked,
        only_seen: onlySeen,
      } = request.body;
      if (expected && !decision)
        throw badRequest(
          'expected needs conflict_policy: it tells what the entries had that are decided about',
        );
      refuseKeysAlone(keys, decision);
      if (onlyLinked) request.note({ only_linked: true });
      requireReadable(request, secret);
      if (decision) request.note({ conflict_policy: decision, ...(keys ? { keys } : {}) });
      if (template !== undefined) request.note({ secret_name_template: template });
      const mount = await requireMount(request, secret);
      const named = findNamed(request);
      if (!named) throw noDestination(request);
      const { linked, row } = await link(request, {
        named,
        secret,
        mount,
        decision,
        expected,
        keys,
        template,
        onlyLinked,
        onlySeen,
      });
      if (linked.created) request.note({ link: 'created' });
      if (row.failures > 0) await probeNow(services.db, row.id, linked.id);
      const headers = await waitForOutcome(request, linked);
      const record = await lookUpRecord(services.db, { id: linked.id });
      return { status: 200, data: presentList(request, record ? [record] : []), headers };
    },
  }),
];
