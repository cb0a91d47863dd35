import { Type } from 'typebox';
import { unprocessable } from '../../../../libs/errors/request-error.ts';
import { applyChange } from '../../../../libs/settings/change.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { samlSettings } from '../../../../libs/settings/saml.ts';
import { samlCheckAnswer, type SamlCheckAnswer } from '../../contract/saml/certificates.ts';
import { presentCertificates } from '../../presenters/settings.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { changeSchema, createChangeReader } from '../settings/change.ts';
import { ownName } from '../settings/names.ts';

const name = ownName(samlSettings);
const readChange = createChangeReader(samlSettings, name);

/** A check of a change before it is made, which needs a token of its own. */
export const samlCheckEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/api/v2/admin/saml-settings/actions/check',
    access: 'policy',
    changesNothing: true,
    summary:
      'Check a change of the SAML settings, and read which certificates would be accepted, before it is made',
    answers: { 200: { data: samlCheckAnswer } },
    body: Type.Unknown(),
    describedBody: changeSchema(samlSettings, name),
    handle: async ({ services, body }) => {
      const { attributes: sent } = await readChange(services, body);
      const { attributes: current } = await loadDocument(services, samlSettings);
      const { next, problems } = applyChange(samlSettings, current, sent);
      if (problems.length > 0) throw unprocessable(...problems);
      const certificates = presentCertificates(next);
      const before = acceptedOf(presentCertificates(current));
      const after = new Set(acceptedOf(certificates).map(({ fingerprint }) => fingerprint));
      const gone = before.filter(({ fingerprint }) => !after.has(fingerprint));
      const attributes = { certificates, 'no-longer-accepted': gone };
      return ok({ data: { type: 'saml-settings-checks', attributes } } satisfies SamlCheckAnswer);
    },
  }),
];

function acceptedOf({ 'idp-cert': present, 'old-idp-cert': former }: ReturnType<typeof presentCertificates>) {
  return [present, former].filter((certificate) => certificate !== undefined);
}
