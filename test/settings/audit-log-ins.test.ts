import { expect } from 'chai';
import { entryOf, named } from '../api/audit/support.ts';
import { createResponse } from './support/identity-provider.ts';
import { startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

describe('log-ins in the audit trail', () => {
  let sso: SingleSignOn;
  before(async () => {
    sso = await startSingleSignOn();
    await sso.enable();
    Object.assign(sso.sealift.config, { CONSOLE_ALLOW_HTTP: true });
  });
  after(() => sso.sealift.stop());

  const logIn = (requestId: string, attributes: Record<string, string[]> = {}) =>
    sso.post(createResponse(sso.idp, { attributes }), named(requestId).headers);

  it('a log-in that gives site-admin names the person, the new token and its policies', async () => {
    const answer = await logIn('login-1', { SiteAdmin: ['true'] });
    expect(answer.status, answer.text).to.equal(200);
    const entry = await entryOf(sso.sealift, 'login-1');
    expect(entry).to.deep.include({
      user: 'ada',
      actor: 'saml-ada',
      accessor: answer.body.auth.accessor,
      'auth-method': 'saml',
      policies: ['default', 'site-admin'],
      address: '127.0.0.1',
      outcome: 'succeeded',
      status: 200,
    });
    expect(JSON.stringify(entry)).to.not.include(answer.body.auth.client_token);
    const token = answer.body.auth.client_token;
    const audit = await sso.sealift.client.post(
      '/v1/sys/wrapping/wrap',
      { a: 'b' },
      { token, ...named('login-2'), headers: { ...named('login-2').headers, 'x-vault-wrap-ttl': '60' } },
    );
    expect(audit.status).to.equal(200);
    expect(await entryOf(sso.sealift, 'login-2')).to.include({ user: 'ada', 'auth-method': 'saml' });
  });

  it('a refused log-in is counted with its reason, and names nobody', async () => {
    const answer = await sso.post(createResponse(sso.stranger, {}), named('login-3').headers);
    expect(answer.status).to.equal(401);
    const { user, detail } = await entryOf(sso.sealift, 'login-3');
    expect(user).to.equal(null);
    expect(detail).to.deep.equal({
      kind: 'log_in_failed',
      count: 1,
      reason:
        "the identity provider's answer was refused: it is not signed by the identity provider: no accepted certificate fits its signature",
    });
  });

  it('a log-in whose entry cannot be written gives no token', async () => {
    const { db } = sso.sealift.context;
    const [before] = await db('tokens').count();
    await db.raw('ALTER TABLE audit_events RENAME TO hidden');
    try {
      expect((await logIn('login-4')).status).to.equal(503);
    } finally {
      await db.raw('ALTER TABLE hidden RENAME TO audit_events');
    }
    expect(await db('tokens').count()).to.deep.equal([before]);
  });
});
