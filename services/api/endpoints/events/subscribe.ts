import { Type } from 'typebox';
import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import type { Namespace } from '../../../../libs/store/access/namespaces.ts';
import { parseFilter } from '../../events/filter/parse.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { endpoint, type Endpoint } from '../../routing/endpoint.ts';

const NO_WEB_SOCKET =
  'this path is a WebSocket: send GET over HTTP/1.1 without a body, with the headers Connection: Upgrade, Upgrade: websocket, ' +
  'Sec-WebSocket-Version: 13 and Sec-WebSocket-Key';

const subscribeQuery = Type.Object({
  json: Type.Optional(Type.Boolean({ description: 'Must be true: events are sent as JSON.' })),
  namespaces: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Namespaces below that of the request whose events are wanted too; `*` stands for any letters. May be repeated.',
    }),
  ),
  filter: Type.Optional(
    Type.String({
      description:
        'Only events for which this holds, such as `operation == "data-write" and data_path contains "app/"`.',
    }),
  ),
});

/** Events for clients. */
export const eventEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/events/subscribe/*type',
    access: 'policy',
    summary: 'Follow changes of secrets over a WebSocket',
    answers: { 101: {} },
    query: subscribeQuery,
    handle: async (request) => {
      const { services, caller, namespace, query, params, path, address, requestId } = request;
      const types = params['type'] ?? '';
      requireWithin(LIMITS.eventTypeLetters, types.length);
      if (caller.session) throw permissionDenied('a session cannot subscribe: send a token');
      if (query.json !== true)
        throw badRequest('json must be true: events are sent as JSON, not as protobuf');
      const filter = query.filter ? parseFilter(query.filter) : undefined;
      const namespaces = patternsOf(query.namespaces ?? [], namespace);
      if (!request.isUpgrade) throw badRequest(NO_WEB_SOCKET);
      const wanted = { types, namespace, namespaces, filter, path, address, requestId };
      return { status: 101, accept: (take) => services.subscriptions.open(wanted, caller, take) };
    },
  }),
];

function patternsOf(given: string[], { path }: Namespace): string[] {
  requireWithin(LIMITS.namespacePatterns, given.length);
  return given.flatMap((pattern) => {
    requireWithin(LIMITS.globLetters, pattern.length);
    const segments = pattern.trim().split('/').filter(Boolean);
    if (segments.some((segment) => segment === '.' || segment === '..'))
      throw badRequest('namespaces must name namespaces below that of the request');
    return segments.length === 0 ? [] : [[path, ...segments].filter(Boolean).join('/')];
  });
}
