import { issuerUrl } from '../../../../libs/config/config.ts';
import { identityModeOf, tokenIssuer, tokenSubject } from '../../../../libs/connector/identity/identity.ts';
import { openSecrets } from '../../../../libs/store/destinations/write.ts';
import { identityAnswer } from '../../contract/destinations.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { requireDestination } from '../named-destination.ts';

/** What the trust of an external store must name. */
export const destinationIdentityEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/sync/destinations/:type/:name/identity',
    access: 'policy',
    summary:
      'Read who a destination is towards its store, for the trust there: issuer, subject and audience of its tokens',
    answers: { 200: { data: identityAnswer } },
    handle: async (request) => {
      const { services, namespace } = request;
      const { type, spelling, row } = await requireDestination(request);
      const settings = { ...row.settings, ...openSecrets(services.keyring, row) };
      const subject = tokenSubject(type, { namespace: namespace.path, name: row.name });
      const mode = identityModeOf(type, settings);
      const audience = settings['identity_token_audience'];
      return ok({
        store_type: spelling,
        store_name: row.name,
        mode,
        iss: type.identity ? tokenIssuer(issuerUrl(services.config), namespace.path) : null,
        sub: type.identity ? subject : null,
        aud: mode === 'federated' ? String(audience) : null,
        role_session_name: type.identity?.sessionName?.(subject) ?? null,
      });
    },
  }),
];
