import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { Answer } from '../support/client.ts';
import { createResponse } from './support/identity-provider.ts';
import { startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
const FROM_PROVIDER = { accept: 'text/html', 'sec-fetch-site': 'cross-site' };

describe('sessions of browsers that sign in at the identity provider', () => {
  let sso: SingleSignOn;

  before(async () => {
    sso = await startSingleSignOn();
    await sso.enable();
    Object.assign(sso.sealift.config, { CONSOLE_ALLOW_HTTP: true });
  });

  after(() => sso.sealift.stop());

  const begin = async (): Promise<{ cookie: string; inResponseTo: string }> => {
    const answer = await sso.sealift.client.get('/users/saml/login?console=true', { token: null });
    expect(answer.status, answer.text).to.equal(302);
    const [cookie = ''] = [answer.headers['set-cookie'] ?? ''].flat();
    expect(cookie).to.match(/; HttpOnly; SameSite=Strict; Max-Age=600$/);
    const packed = new URL(String(answer.headers['location'])).searchParams.get('SAMLRequest') ?? '';
    const request = inflateRawSync(Buffer.from(packed, 'base64')).toString();
    return { cookie: cookie.split(';', 1)[0] ?? '', inResponseTo: /\sID="([^"]+)"/.exec(request)?.[1] ?? '' };
  };
  const comeBack = (inResponseTo?: string, attributes = {}): Promise<Answer> =>
    sso.post(
      createResponse(sso.idp, { attributes, ...(inResponseTo === undefined ? {} : { inResponseTo }) }),
      FROM_PROVIDER,
    );
  const cookieOf = ({ headers }: Answer): string =>
    [headers['set-cookie'] ?? ''].flat().map((line) => line.split(';', 1)[0])[0] ?? '';
  const fetchSession = (cookie: string, headers: Record<string, string> = OWN_PAGE): Promise<Answer> =>
    sso.sealift.client.post('/v1/auth/session/saml', undefined, {
      token: null,
      headers: { cookie, ...headers },
    });

  it('only the browser that began a log-in gets the session, once', async () => {
    const { cookie, inResponseTo } = await begin();
    const answer = await comeBack(inResponseTo);
    expect([answer.status, answer.headers['location']]).to.deep.equal([303, '/ui/signing-in']);
    expect(answer.text).to.not.include('slt.');
    const brought = cookieOf(answer);
    expect(String(answer.headers['set-cookie'])).to.match(/; HttpOnly; SameSite=Strict; Max-Age=600$/);

    const other = await begin();
    expect((await fetchSession(other.cookie)).status).to.equal(403);
    expect((await fetchSession('')).status).to.equal(403);
    const otherAnswer = cookieOf(await comeBack(other.inResponseTo));
    // Who began a sign-in and sent somebody else to the identity provider has the first cookie, and that person the second.
    for (const some of [cookie, brought, `${cookie}; ${otherAnswer}`, `${other.cookie}; ${brought}`])
      expect((await fetchSession(some)).status, some).to.equal(403);
    const both = `${cookie}; ${brought}`;
    expect((await fetchSession(both, { 'sec-fetch-site': 'cross-site' })).status).to.equal(403);
    const session = await fetchSession(both);
    expect(session.status, session.text).to.equal(200);
    expect(session.body.data).to.include({ display_name: 'saml-ada' });
    expect(session.body.data.policies).to.deep.equal(['default']);
    expect((await fetchSession(both)).status).to.equal(403);
  });

  it('an answer that nobody asked for gives no session', async () => {
    const { cookie } = await begin();
    const answer = await comeBack();
    expect(answer.status).to.equal(200);
    expect(answer.text).to.include('id="token"');
    expect((await fetchSession(cookie)).status).to.equal(403);
  });

  it('signing out ends the token as well, which nobody else has', async () => {
    const { db } = sso.sealift.context;
    const { cookie, inResponseTo } = await begin();
    const answer = await comeBack(inResponseTo, { SiteAdmin: ['true'] });
    const begun = await fetchSession(`${cookie}; ${cookieOf(answer)}`);
    const { csrf, accessor, policies } = begun.body.data;
    expect(policies).to.deep.equal(['default', 'site-admin']);
    const cookies = [begun.headers['set-cookie'] ?? ''].flat().map((line) => line.split(';', 1)[0]);
    const asPage = {
      token: null,
      headers: { ...OWN_PAGE, cookie: cookies.join('; '), 'x-sealift-csrf': csrf },
    };
    expect((await sso.sealift.client.get('/api/v2/admin/general-settings', asPage)).status).to.equal(200);
    expect((await sso.sealift.client.delete('/v1/auth/session', asPage)).status).to.equal(204);
    expect(await db('tokens').where({ accessor })).to.deep.equal([]);
  });

  it('a session changes nothing about who gets in', async () => {
    const { cookie, inResponseTo } = await begin();
    const answer = await comeBack(inResponseTo, { SiteAdmin: ['true'] });
    const begun = await fetchSession(`${cookie}; ${cookieOf(answer)}`);
    const headers = { ...OWN_PAGE, cookie: cookieOf(begun), 'x-sealift-csrf': begun.body.data.csrf };
    const body = { data: { attributes: { 'idp-cert': sso.stranger.cert } } };
    const { client } = sso.sealift;
    const refused = await client.patch('/api/v2/admin/saml-settings', body, { token: null, headers });
    expect(refused.status, refused.text).to.equal(403);
    expect(refused.text).to.include('a browser session lets nobody else in');
    const other = { data: { attributes: { 'api-rate-limit': 31 } } };
    const changed = await client.patch('/api/v2/admin/general-settings', other, { token: null, headers });
    expect(changed.status, changed.text).to.equal(200);
  });

  it('a sign-in that took too long is over', async () => {
    const { db } = sso.sealift.context;
    const { cookie, inResponseTo } = await begin();
    const both = `${cookie}; ${cookieOf(await comeBack(inResponseTo))}`;
    await db('pending_sessions').update({ expires_at: new Date(Date.now() - 1000) });
    expect((await fetchSession(both)).status).to.equal(403);
  });
});
