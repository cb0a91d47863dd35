import { expect } from 'chai';
import type { Answer } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { expectLogin, startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';
import { createResponse } from './support/identity-provider.ts';

const FLOODER = '203.0.113.1';
const LIMIT = 5;

// Our proxy adds the last address. Those before it are what the client says.
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('floods of single sign-ons', () => {
  describe('with a limit for each address', () => {
    let sso: SingleSignOn;

    before(async () => {
      sso = await startSingleSignOn({ TRUST_PROXY: '1', SAML_RATE_LIMIT_PER_ADDRESS: String(LIMIT) });
      await sso.enable();
    });
    after(() => sso?.sealift.stop());

    // Floods until the limit is seen: on a slow machine the calls may take longer than the second that counts them.
    async function flood(call: (index: number) => Promise<Answer>): Promise<Answer> {
      let refused: Answer | undefined;
      await eventually(async () => {
        const answers = await Promise.all(Array.from({ length: LIMIT * 4 }, (_, index) => call(index)));
        refused = answers.find(({ status }) => status === 429);
        return refused !== undefined;
      });
      expect(refused?.headers).to.include({ 'retry-after': '1', 'x-ratelimit-limit': String(LIMIT) });
      expect(refused?.body.errors).to.deep.equal([`more than ${LIMIT} requests in one second`]);
      return refused as Answer;
    }

    it('an address that brings too many answers gets 429 with Retry-After, and another one logs in', async () => {
      await flood(() => sso.post('bm9uZQ==', from(FLOODER)));
      expectLogin(await sso.post(createResponse(sso.idp), from('203.0.113.2')));
    });

    it('an address that begins too many sign-ons gets 429, and another one begins its own', async () => {
      const begin = (address: string): Promise<Answer> =>
        sso.sealift.client.get('/users/saml/login', { token: null, headers: from(address) });
      await flood(() => begin(FLOODER));
      expect((await begin('203.0.113.2')).status).to.equal(302);
    });

    it('addresses that a client makes up do not lift its limit', async () => {
      await flood((index) => sso.post('bm9uZQ==', from(`198.51.100.${index}, ${FLOODER}`)));
    });

    it('the path with /v1 counts as the same call', async () => {
      await flood((index) =>
        sso.sealift.client.post(`${index % 2 === 0 ? '/v1' : ''}/users/saml/auth`, undefined, {
          token: null,
          raw: 'SAMLResponse=bm9uZQ',
          headers: { 'content-type': 'application/x-www-form-urlencoded', ...from('203.0.113.7') },
        }),
      );
    });
  });

  it('many answers of one address leave a place for the log-in of another', async function () {
    const sso = await startSingleSignOn({ TRUST_PROXY: '1' });
    try {
      await sso.enable();
      // The threads start with the first answer, so all of these wait at once.
      const forged = createResponse(sso.stranger);
      const flood = Array.from({ length: 60 }, () => sso.post(forged, from(FLOODER)));
      expectLogin(await sso.post(createResponse(sso.idp), from('203.0.113.2')));
      const refused = (await Promise.all(flood)).filter(({ status }) => status === 429);
      expect(refused.length).to.be.greaterThan(0);
      expect(refused[0]?.body.errors).to.deep.equal(['more than 8 log-ins of this address wait']);
      expect(refused[0]?.headers).to.include({ 'retry-after': '1' });
    } finally {
      await sso.sealift.stop();
    }
  });
});
