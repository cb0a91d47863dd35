import { expect } from 'chai';
import type { PolicyHoldersAnswer, ReadersAnswer } from '../../../services/api/contract/tokens.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('who holds a right', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    const { client } = sealift;
    const rule = (path: string, capability = 'read') => `path "${path}" { capabilities = ["${capability}"] }`;
    const policies = {
      'folder-reader': rule('secret/data/shop/*'),
      denier: rule('secret/data/shop/db', 'deny'),
      lister: rule('secret/metadata/shop/*', 'list'),
      'from-above': rule('team/kv/data/+/db'),
    };
    for (const [name, policy] of Object.entries(policies))
      await client.post(`/v1/sys/policies/acl/${name}`, { policy });
    await client.post('/v1/sys/namespaces/team', {});
    const inTeam = { namespace: 'team' };
    await client.post('/v1/sys/mounts/kv', { type: 'kv', options: { version: '2' } }, inTeam);
    await client.post('/v1/sys/policies/acl/own', { policy: rule('kv/data/shop/*') }, inTeam);
    await client.post('/v1/auth/token/create', { policies: ['own'], display_name: 'teamster' }, inTeam);
    for (const [name, own] of [
      ['reader', ['folder-reader']],
      ['denied', ['folder-reader', 'denier']],
      ['lister', ['lister']],
      ['above', ['from-above']],
    ] as const)
      await client.post('/v1/auth/token/create', { policies: own, display_name: name });
    await client.post('/v1/auth/token/roles/shop', { allowed_policies_glob: ['folder-*'] });
    await client.post('/v1/auth/token/roles/other', { allowed_policies: ['lister'] });
    await client.post('/v1/sys/teams/shoppers', { policies: ['folder-reader'] });
    await client.post('/v1/sys/auth/approle', { type: 'approle' });
    await client.post('/v1/auth/approle/role/till', { token_policies: ['folder-reader'] });
  });
  after(() => sealift.stop());

  const readersOf = async (path: string, namespace?: string): Promise<ReadersAnswer> => {
    const answer = await sealift.client.get(`/v1/sys/readers/${path}`, namespace ? { namespace } : {});
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data;
  };
  const namesOf = (list: { name: string }[]): string[] => list.map(({ name }) => name).toSorted();

  it('readers of a secret are those whose policies together allow it, with the policy that does', async () => {
    const { tokens, roles, total_tokens: total, is_complete: isComplete } = await readersOf('secret/shop/db');
    expect(namesOf(tokens)).to.deep.equal(['root', 'token-reader']);
    expect(total).to.equal(2);
    expect(isComplete).to.equal(true);
    const reader = tokens.find(({ name }) => name === 'token-reader');
    expect(reader).to.deep.include({ policies: ['folder-reader'], namespace: '', sessions: 0 });
    expect(roles.map(({ kind, name }) => `${kind} ${name}`)).to.deep.equal([
      'approle till',
      'team shoppers',
      'token shop',
    ]);
    expect(namesOf((await readersOf('secret/shop/other')).tokens)).to.include('token-denied');
  });

  it('readers are also found in the namespaces above, whose rules reach below', async () => {
    const { tokens } = await readersOf('kv/shop/db', 'team');
    expect(tokens.map(({ namespace, name }) => `${namespace}/${name}`).toSorted()).to.deep.equal([
      '/root',
      '/token-above',
      'team/token-teamster',
    ]);
  });

  it('asking for readers needs sudo, and finds none in a mount that does not exist', async () => {
    const { client } = sealift;
    const policy = 'path "sys/readers/*" { capabilities = ["read"] }';
    await client.post('/v1/sys/policies/acl/asker', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['asker'] });
    const { client_token: token } = made.body.auth;
    expect((await client.get('/v1/sys/readers/secret/shop/db', { token })).status).to.equal(403);
    expect((await client.get('/v1/sys/readers/nowhere/shop/db')).status).to.equal(404);
  });

  it('holders of a policy are its tokens with their sessions, its roles and its teams', async () => {
    const { client } = sealift;
    const holdersOf = async (name: string): Promise<PolicyHoldersAnswer> =>
      (await client.get(`/v1/sys/policies/acl/${name}/holders`)).body.data;
    const holders = await holdersOf('Folder-Reader');
    expect(namesOf(holders.tokens)).to.deep.equal(['token-denied', 'token-reader']);
    expect(holders.totals).to.deep.equal({ tokens: 2, sessions: 0, roles: 3 });
    expect((await holdersOf('nobody-has-it')).totals).to.deep.equal({ tokens: 0, sessions: 0, roles: 0 });
  });

  it('a token of the list tells its maker, what ends with it, and its missing policies', async () => {
    const { client } = sealift;
    const maker = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'maker' });
    const { client_token: token } = maker.body.auth;
    const body = { policies: ['later', 'default'], display_name: 'child', ttl: '99999h' };
    const child = await client.post('/v1/auth/token/create', body, { token });
    expect(child.body.warnings).to.deep.equal(['Policy "later" does not exist']);
    const list = async (query: string) =>
      (await client.get(`/v1/auth/token/accessors?${query}`)).body.data as {
        tokens: { display_name: string; expire_time: string | null; next_before: number | null }[];
        next_before: number | null;
      };
    const { tokens } = await list('limit=2');
    expect(tokens[0]).to.deep.include({ created_by: 'token-maker', missing_policies: ['later'] });
    expect(tokens[1]).to.deep.include({ display_name: 'token-maker', tokens_below: 1, sessions: 0 });
    expect(tokens[1]).to.not.have.property('missing_policies');
    const first = await list('sort=expiry&limit=2');
    expect(first.tokens[0]?.expire_time).to.equal(null);
    const second = await list(`sort=expiry&limit=100&before=${first.next_before}`);
    const all = [...first.tokens, ...second.tokens].map(({ expire_time: end }) => end ?? '9999');
    expect(all).to.deep.equal(all.toSorted().toReversed());
    const ending = [...first.tokens, ...second.tokens].find(({ expire_time: end }) => end !== null);
    expect(ending?.display_name).to.equal('token-child');
    expect(all).to.have.length((await list('limit=100')).tokens.length);
  });
});
