import { notFound } from '../../../../libs/errors/request-error.ts';
import { Type } from 'typebox';
import {
  deleteSession,
  findListedSession,
  listSessions,
  type ListedSession,
  type SessionPlace,
} from '../../../../libs/store/access/sessions.ts';
import { presentListedSession } from '../../presenters/session.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { openPlace, sealPlace } from '../sealed-place.ts';
import { sessionsAnswer, type SessionsAnswer } from '../../contract/sessions.ts';

const PATH = 'auth/session';
const MOST = 500;
const SESSION_ID = /^[1-9]\d{0,14}$/;

/** Who is signed in. A caller sees and ends the sessions of its own token; for all others it needs a right. */
export const sessionListEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: `/${PATH}`,
    access: 'token',
    summary:
      "List the browser sessions of the caller's own token; with the capability `list` on this path, of all tokens of the namespace",
    answers: { 200: { data: sessionsAnswer } },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST,
          description: `Maximum number of sessions. Default ${MOST}.`,
        }),
      ),
      after: Type.Optional(
        Type.String({
          description: '`next_after` of the previous page. Empty: begin with the first session.',
        }),
      ),
    }),
    handle: async (request) => {
      const { services, query, namespace, caller } = request;
      const { limit = MOST } = query;
      const after = query.after ? (openPlace(request, PATH, query.after) as SessionPlace) : undefined;
      const wanted = {
        namespaceId: namespace.id,
        ...(request.may(PATH, 'list') ? {} : { tokenId: caller.token.id }),
      };
      // One more tells whether another page follows.
      const found = await listSessions(services.db, wanted, { after, limit: limit + 1 });
      if (found.length === 0 && !after) throw notFound();
      const sessions = found.slice(0, limit);
      const last = found.length > limit ? sessions.at(-1) : undefined;
      const shown = sessions.map((session) => [String(session.id), present(session, request)] as const);
      return ok({
        keys: shown.map(([key]) => key),
        key_info: Object.fromEntries(shown),
        next_after: last ? sealPlace(request, PATH, placeOf(last)) : null,
      } satisfies SessionsAnswer);
    },
  }),
  endpoint({
    method: 'DELETE',
    path: `/${PATH}/:id`,
    access: 'token',
    summary:
      "End a browser session of the caller's own token; with the capability `delete` on this path, any session of the namespace. Succeeds if there is no such session",
    answers: { 204: {} },
    handle: async (request) => {
      const { services, namespace, caller, params } = request;
      const id = params['id'] ?? '';
      const mayEndAll = request.may(`${PATH}/${id}`, 'delete');
      // The answer does not tell whose session it is, or whether it exists.
      const session = SESSION_ID.test(id)
        ? await findListedSession(services.db, {
            namespaceId: namespace.id,
            ...(mayEndAll ? {} : { tokenId: caller.token.id }),
            id: Number(id),
          })
        : undefined;
      if (session) await deleteSession(services.db, session.id);
      const { accessor, display_name } = session?.token ?? {};
      request.note({ change: session ? 'ended' : 'none', accessor, display_name });
      return noContent();
    },
  }),
];

function placeOf({ last_used_at: used, id }: ListedSession): SessionPlace {
  return { usedMs: used.getTime(), id };
}

function present(session: ListedSession, { caller }: ApiRequest) {
  return presentListedSession(session, {
    isOwn: session.token.accessor === caller.token.accessor,
    isCurrent: session.id === caller.session?.id,
  });
}
