import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { Answer } from '../../support/client.ts';
import { startAdmin, type AdminSealift } from './admin.ts';
import { createCertificate, type Certificate } from './certificates.ts';
import { AUDIENCE, CONSUMER, createResponse, type AssertionOptions } from './identity-provider.ts';

/** An installation with SAML log-in at an identity provider of the test. */
export type SingleSignOn = {
  sealift: AdminSealift;
  /** Certificates: the identity provider's, its next one, and a foreign one. */
  idp: Certificate;
  later: Certificate;
  stranger: Certificate;
  /** Enables SAML with the provider. Given settings override the usual ones. */
  enable: (attributes?: Record<string, unknown>) => Promise<void>;
  /** Posts a response like a browser, but asks for JSON. */
  post: (response: string, headers?: Record<string, string>) => Promise<Answer>;
  login: (options?: AssertionOptions, certificate?: Certificate) => Promise<Answer>;
  /** Starts a log-in. Returns the id of the request in our redirect to the provider. */
  beginLogin: () => Promise<string>;
  /** The status of a token's read of a settings document. */
  reads: (token: string) => Promise<number>;
};

/** Undo: `sealift.stop`. */
export async function startSingleSignOn(environment: Record<string, string> = {}): Promise<SingleSignOn> {
  const [idp, later, stranger] = await Promise.all([
    createCertificate('idp'),
    createCertificate('idp-2'),
    createCertificate('stranger'),
  ]);
  const sealift = await startAdmin({
    environment: { PUBLIC_URL: 'https://sealift.example/', ...environment },
  });
  const { client } = sealift;

  const post: SingleSignOn['post'] = (response, headers = {}) =>
    client.post('/users/saml/auth', undefined, {
      token: null,
      raw: new URLSearchParams({ SAMLResponse: response, RelayState: 'https://evil.example' }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...headers,
      },
    });

  return {
    sealift,
    idp,
    later,
    stranger,
    post,
    enable: async (attributes = {}) => {
      const urls = {
        'slo-endpoint-url': 'https://idp.example/slo',
        'sso-endpoint-url': 'https://idp.example/sso',
      };
      const answer = await sealift.change('saml', {
        enabled: true,
        'idp-cert': idp.cert,
        ...urls,
        ...attributes,
      });
      expect(answer.status, answer.text).to.equal(200);
    },
    login: (options = {}, certificate = idp) => post(createResponse(certificate, options)),
    beginLogin: async () => {
      const answer = await client.get('/users/saml/login', { token: null });
      expect(answer.status).to.equal(302);
      const location = new URL(String(answer.headers['location']));
      expect(location.origin + location.pathname).to.equal('https://idp.example/sso');
      const packed = Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64');
      const request = inflateRawSync(packed).toString();
      expect(request).to.contain(`AssertionConsumerServiceURL="${CONSUMER}"`).and.to.contain(AUDIENCE);
      return /\sID="([^"]+)"/.exec(request)?.[1] ?? '';
    },
    reads: async (token) => (await client.get('/api/v2/admin/general-settings', { token })).status,
  };
}

/** The token of a successful log-in. */
export function expectLogin(answer: Answer): string {
  expect(answer.status, answer.text).to.equal(200);
  return answer.body.auth.client_token;
}

/** Expects that a log-in failed for this reason and gave no token. */
export function expectRefusal(answer: Answer, reason: RegExp): void {
  expect(answer.status, answer.text).to.equal(401);
  expect(answer.body.errors[0]).to.match(reason);
  expect(answer.text).not.to.contain('client_token');
}
