import { notFound } from '../../../../libs/errors/request-error.ts';
import { deleteSession, listSessions, type ListedSession } from '../../../../libs/store/access/sessions.ts';
import { presentListedSession } from '../../presenters/session.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { sessionsAnswer, type SessionsAnswer } from '../../contract/sessions.ts';

const PATH = 'auth/session';

/** Who is signed in. A caller sees and ends the sessions of its own token; for all others it needs a right. */
export const sessionListEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: `/${PATH}`,
    access: 'token',
    summary:
      "List the browser sessions of the caller's own token; with the capability `list` on this path, of all tokens of the namespace",
    answers: { 200: { data: sessionsAnswer } },
    handle: async (request) => {
      const sessions = await listSessions(request.services.db, {
        namespaceId: request.namespace.id,
        ...(request.may(PATH, 'list') ? {} : { tokenId: request.caller.token.id }),
      });
      if (sessions.length === 0) throw notFound();
      const shown = sessions.map((session) => [String(session.id), present(session, request)] as const);
      return ok({
        keys: shown.map(([key]) => key),
        key_info: Object.fromEntries(shown),
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
      const sessions = await listSessions(services.db, {
        namespaceId: namespace.id,
        ...(mayEndAll ? {} : { tokenId: caller.token.id }),
      });
      // The answer does not tell whose session it is, or whether it exists.
      const session = sessions.find((one) => String(one.id) === id);
      if (session) await deleteSession(services.db, session.id);
      const { accessor, display_name } = session?.token ?? {};
      request.note({ change: session ? 'ended' : 'none', accessor, display_name });
      return noContent();
    },
  }),
];

function present(session: ListedSession, { caller }: ApiRequest) {
  return presentListedSession(session, {
    isOwn: session.token.accessor === caller.token.accessor,
    isCurrent: session.id === caller.session?.id,
  });
}
