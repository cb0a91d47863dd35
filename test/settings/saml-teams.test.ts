import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import type { Answer } from '../support/client.ts';
import { commandsOf } from '../cli/support.ts';
import { createResponse } from './support/identity-provider.ts';
import {
  expectLogin,
  expectRefusal,
  startSingleSignOn,
  type SingleSignOn,
} from './support/single-sign-on.ts';

describe('teams of people who sign in', () => {
  let sso: SingleSignOn;

  before(async () => {
    sso = await startSingleSignOn();
    await sso.enable();
    const { client } = sso.sealift;
    await client.post('/v1/sys/namespaces/team-a');
    for (const namespace of ['', 'team-a']) {
      const policy = 'path "secret/data/app" { capabilities = ["read"] }';
      await client.post('/v1/sys/policies/acl/reader', { policy }, { namespace });
      await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' }, { namespace });
      await client.post('/v1/secret/data/app', { data: { in: namespace } }, { namespace });
    }
  });

  after(() => sso.sealift.stop());

  const write = async (team: string, policies: string[], namespace = '') => {
    const answer = await sso.sealift.client.post(`/v1/sys/teams/${team}`, { policies }, { namespace });
    expect(answer.status, answer.text).to.equal(204);
  };
  const signIn = async (namespace: string, groups: string[]): Promise<Answer> => {
    const { client } = sso.sealift;
    const begun = await client.get(`/users/saml/login?namespace=${namespace}`, { token: null });
    const packed = new URL(String(begun.headers['location'])).searchParams.get('SAMLRequest') ?? '';
    const request = inflateRawSync(Buffer.from(packed, 'base64')).toString();
    const inResponseTo = /\sID="([^"]+)"/.exec(request)?.[1] ?? '';
    return sso.post(createResponse(sso.idp, { inResponseTo, attributes: { MemberOf: groups } }));
  };

  it('a team is written, read, listed and deleted', async () => {
    const { client } = sso.sealift;
    await write('CN=dev,DC=example', ['B', 'a']);
    const { data } = (await client.get('/v1/sys/teams/CN=dev,DC=example')).body;
    expect(data).to.deep.include({ policies: ['a', 'b'], changed_by: 'root' });
    const list = (await client.list('/v1/sys/teams')).body.data;
    expect(list).to.deep.equal({ keys: ['CN=dev,DC=example'], key_info: { 'CN=dev,DC=example': data } });
    expect((await client.delete('/v1/sys/teams/CN=dev,DC=example')).status).to.equal(204);
    expect((await client.get('/v1/sys/teams/CN=dev,DC=example')).status).to.equal(404);
    expect((await client.list('/v1/sys/teams')).status).to.equal(404);
    for (const policies of [[], ['root']])
      expect((await client.post('/v1/sys/teams/dev', { policies })).status).to.equal(400);
  });

  it('policies that the writer lacks need sudo, and a browser session writes none', async () => {
    const { client, context } = sso.sealift;
    const rules = 'path "sys/teams/*" { capabilities = ["create", "update"] }';
    await client.post('/v1/sys/policies/acl/teams', { policy: rules });
    const made = await client.post('/v1/auth/token/create', { policies: ['teams'] });
    const { client_token: token, accessor } = made.body.auth;
    expect((await client.post('/v1/sys/teams/dev', { policies: ['reader'] }, { token })).status).to.equal(
      400,
    );
    expect((await client.post('/v1/sys/teams/dev', { policies: ['teams'] }, { token })).status).to.equal(204);
    await context.db('tokens').where({ accessor }).update({ reads_values: false });
    const other = await client.post('/v1/sys/policies/acl/forget', { policy: rules });
    expect(other.status).to.equal(204);
    expect((await client.post('/v1/sys/teams/dev', { policies: ['teams'] }, { token })).status).to.equal(403);
    expect((await client.delete('/v1/sys/teams/dev')).status).to.equal(204);
  });

  it('a person gets the policies of all teams, beside those of a site administrator', async () => {
    await write('readers', ['reader']);
    await write('ops', ['operator', 'reader']);
    const answer = await sso.login({ attributes: { MemberOf: ['readers', 'ops', 'others', 'site-admins'] } });
    const token = expectLogin(answer);
    expect(answer.body.auth.policies).to.deep.equal(['default', 'operator', 'reader', 'site-admin']);
    const read = await sso.sealift.client.get('/v1/secret/data/app', { token });
    expect(read.body.data.data).to.deep.equal({ in: '' });
    const none = await sso.login({ attributes: { MemberOf: ['Readers'] } });
    expect(none.body.auth.policies).to.deep.equal(['default']);
  });

  it('a namespace has its own teams, and a sign-in to it reaches nothing above', async () => {
    const { client } = sso.sealift;
    await write('shared', ['reader'], 'team-a');
    const token = expectLogin(await signIn('team-a', ['shared', 'site-admins']));
    const own = (await client.get('/v1/auth/token/lookup-self', { token })).body.data;
    expect(own).to.deep.include({ namespace_path: 'team-a/', policies: ['default', 'reader'] });
    const inside = await client.get('/v1/secret/data/app', { token, namespace: 'team-a' });
    expect(inside.body.data.data).to.deep.equal({ in: 'team-a' });
    expect((await client.get('/v1/secret/data/app', { token })).status).to.equal(403);
    expect(await sso.reads(token)).to.equal(404);
    const root = expectLogin(await signIn('', ['shared']));
    expect((await client.get('/v1/secret/data/app', { token: root })).status).to.equal(403);
  });

  it('a person without a team is refused, and alike where there is no such namespace', async () => {
    for (const namespace of ['team-a', 'absent', 'team-a/absent'])
      expectRefusal(await signIn(namespace, ['readers']), /belongs to no team of the namespace/);
  });

  it('a namespace with teams is not deleted', async () => {
    const answer = await sso.sealift.client.delete('/v1/sys/namespaces/team-a');
    expect([answer.status, String(answer.body.errors).includes('1 team')]).to.deep.equal([400, true]);
  });

  it('`team` writes, reads, lists and deletes a team', async () => {
    const { run, json } = commandsOf(() => sso.sealift);
    expect((await run('team write cli reader default')).stdout).to.equal('written\n');
    expect(await json('team read cli')).to.deep.include({ policies: ['default', 'reader'] });
    expect((await run('team list')).stdout).to.include('cli');
    expect((await run('team delete cli')).stdout).to.equal('deleted\n');
    expect((await run('team read cli')).code).to.not.equal(0);
  });
});
