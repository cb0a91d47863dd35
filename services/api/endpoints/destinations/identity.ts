import { Type } from 'typebox';
import { issuerUrl } from '../../../../libs/config/config.ts';
import { identityModeOf, tokenIssuer, tokenSubject } from '../../../../libs/connector/identity/identity.ts';
import { lookUpDestination, type DestinationRow } from '../../../../libs/store/destinations/destinations.ts';
import { openSecrets } from '../../../../libs/store/destinations/write.ts';
import { identityAnswer } from '../../contract/destinations.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { requireDestination, requireNamed, type NamedDestination } from '../named-destination.ts';

/** What the trust of an external store must name. */
export const destinationIdentityEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/sync/destinations/:type/:name/identity',
    access: 'policy',
    summary:
      'Read who a destination is towards its store, for the trust there: issuer, subject and audience of its tokens',
    answers: { 200: { data: identityAnswer } },
    query: Type.Object({
      draft: Type.Optional(
        Type.Boolean({
          description: 'True: also of a destination that does not exist yet. Its `mode` is null then.',
        }),
      ),
    }),
    handle: async (request) => {
      const { services, namespace, query } = request;
      const { type, spelling, key, row } = query.draft
        ? await findDraft(request)
        : await requireDestination(request);
      const settings = row && { ...row.settings, ...openSecrets(services.keyring, row) };
      const subject = tokenSubject(type, { namespace: namespace.path, name: key.name });
      const mode = settings ? identityModeOf(type, settings) : null;
      const audience = settings?.['identity_token_audience'];
      return ok({
        store_type: spelling,
        store_name: key.name,
        mode,
        iss: type.identity ? tokenIssuer(issuerUrl(services.config), namespace.path) : null,
        sub: type.identity ? subject : null,
        aud: mode === 'federated' ? String(audience) : null,
        role_session_name: type.identity?.sessionName?.(subject) ?? null,
      });
    },
  }),
];

async function findDraft(
  request: ApiRequest,
): Promise<NamedDestination & { row: DestinationRow | undefined }> {
  const named = requireNamed(request);
  return { ...named, row: await lookUpDestination(request.services.db, named.key) };
}
