import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import type { Answer } from '../support/client.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const PATH = '/v1/sys/sync/destinations/cloud1-sm';
const SMTP = '/api/v2/admin/smtp-settings';
const POLICY = '/v1/sys/policies/acl/reader';

const tagOf = ({ headers }: Answer): string => String(headers['etag']);
const ifMatch = (tag: string, more: Record<string, string> = {}) => ({
  headers: { 'if-match': tag, ...more },
});
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('revisions of what several people change', () => {
  let sealift: Sealift;
  let ana: string;

  before(async () => {
    sealift = await startSealift({ workers: { settings: startSettingsWorker } });
    const made = await sealift.client.post('/v1/auth/token/create', {
      policies: ['root'],
      display_name: 'ana',
    });
    ana = made.body.auth.client_token;
  });

  after(() => sealift.stop());

  const lastChangeOf = (path: string): Promise<Answer> => sealift.client.get(`/v1/sys/revisions/${path}`);

  const asAna = async (method: string, path: string, body: object, headers = {}): Promise<Answer> => {
    const answer = await sealift.client.call(method, path, body, { token: ana, headers });
    expect(answer.status, answer.text).to.be.lessThan(300);
    return answer;
  };

  it('a destination tells its revision, and a change for an older one is refused', async () => {
    const { client } = sealift;
    const created = await client.post(`${PATH}/prod`, cloud1Settings());
    const lastChange = (await lastChangeOf('sys/sync/destinations/cloud1-sm/prod')).body.data;
    expect(tagOf(created)).to.equal(`"${lastChange.revision}"`);
    const changed = await asAna('PATCH', `${PATH}/prod`, { custom_tags: { team: 'a' } }, MERGE);
    const last = (await lastChangeOf('sys/sync/destinations/aws-sm/prod')).body.data;
    expect(tagOf(changed)).to.equal(`"${last.revision}"`);
    expect(last.changed_by).to.match(/ana$/);
    expect(Date.parse(last.changed_at)).to.be.closeTo(Date.now(), 60_000);

    const late = await client.patch(
      `${PATH}/prod`,
      { custom_tags: { team: 'b' } },
      ifMatch(tagOf(created), MERGE),
    );
    expect(late.status, late.text).to.equal(412);
    expect(late.text).to.match(/was changed by [\w-]*ana at 20.*read it again/);
    expect(tagOf(late)).to.equal(tagOf(changed));
    const stored = await client.get(`${PATH}/prod`);
    expect(stored.body.data.options.custom_tags).to.deep.equal({ team: 'a' });
    expect(tagOf(stored)).to.equal(tagOf(changed));

    const again = await client.patch(
      `${PATH}/prod`,
      { custom_tags: { team: 'b' } },
      ifMatch(tagOf(late), MERGE),
    );
    expect(again.status, again.text).to.equal(200);
    const replaced = await client.post(`${PATH}/prod`, cloud1Settings(), ifMatch(tagOf(changed)));
    expect(replaced.status).to.equal(412);
    expect((await client.call('DELETE', `${PATH}/prod`, undefined, ifMatch(tagOf(changed)))).status).to.equal(
      412,
    );
    expect((await client.get(`${PATH}/prod`)).status).to.equal(200);
  });

  it('the last change of a thing is told to those who may read it, and to nobody else', async () => {
    const { client } = sealift;
    await client.post(POLICY, { path: { 'sys/policies/acl/reader': { capabilities: ['read'] } } });
    const { body } = await client.post('/v1/auth/token/create', { policies: ['reader'] });
    const options = { token: body.auth.client_token as string };
    const readRevisions = (path: string, request = options) =>
      client.get(`/v1/sys/revisions/${path}`, request);
    const revisions = await readRevisions('sys/policies/acl/reader');
    expect(Object.keys(revisions.body.data)).to.have.members(['revision', 'changed_at', 'changed_by']);
    for (const path of ['sys/policy/reader', 'sys/policies/acl/default', 'sys/mounts/secret'])
      expect((await readRevisions(path)).status, path).to.equal(403);
    for (const path of ['sys/policies/acl/root', 'sys/policies/acl/none', 'sys/mounts/secret', 'x'])
      expect((await readRevisions(path, { token: sealift.token })).status, path).to.equal(404);
  });

  it('a change without a condition is made, and one that changes nothing keeps the revision', async () => {
    const { client } = sealift;
    const made = await client.post(`${PATH}/same`, cloud1Settings());
    const again = await client.post(`${PATH}/same`, cloud1Settings());
    expect(tagOf(again)).to.equal(tagOf(made));
    expect((await client.patch(`${PATH}/same`, { drift_check: true }, { headers: MERGE })).status).to.equal(
      200,
    );
  });

  it('a destination that was deleted and made again has another revision', async () => {
    const { client } = sealift;
    const first = await client.post(`${PATH}/again`, cloud1Settings());
    await client.delete(`${PATH}/again`);
    const gone = await client.post(`${PATH}/again`, cloud1Settings(), ifMatch(tagOf(first)));
    expect([gone.status, gone.headers['etag']]).to.deep.equal([412, undefined]);
    expect(gone.text).to.include('no longer exists');
    await client.post(`${PATH}/again`, cloud1Settings());
    expect((await client.post(`${PATH}/again`, cloud1Settings(), ifMatch(tagOf(first)))).status).to.equal(
      412,
    );
    expect((await client.post(`${PATH}/again`, cloud1Settings(), ifMatch('*'))).status).to.equal(200);
  });

  it('a tag that a proxy has made weak is the same tag, and the summary knows it too', async () => {
    const { client } = sealift;
    const made = await client.post(`${PATH}/weak`, cloud1Settings());
    const weak = `"other", W/${tagOf(made)}`;
    const changed = await client.patch(`${PATH}/weak`, { drift_check: true }, ifMatch(weak, MERGE));
    expect(changed.status, changed.text).to.equal(200);
    expect((await client.patch(`${PATH}/weak`, {}, ifMatch(weak, MERGE))).status).to.equal(412);
    const present = { headers: { 'if-none-match': `W/${tagOf(changed)}` } };
    expect((await client.post(`${PATH}/weak`, cloud1Settings(), present)).status).to.equal(412);
    const summary = tagOf(await client.get('/v1/sys/sync/summary'));
    const again = { headers: { 'if-none-match': `"x", W/${summary}` } };
    expect((await client.get('/v1/sys/sync/summary', again)).status).to.equal(304);
  });

  it('a deletion that asks that the thing exists is refused if it does not', async () => {
    for (const path of [`${PATH}/nope`, '/v1/sys/sync/destinations/none/nope', '/v1/sys/policies/acl/nope']) {
      const answer = await sealift.client.call('DELETE', path, undefined, ifMatch('*'));
      expect(answer.status, path).to.equal(412);
      expect((await sealift.client.delete(path)).status, path).to.equal(204);
    }
  });

  it('a write that knows no condition refuses it, and nothing is written', async () => {
    const { client } = sealift;
    await client.post('/v1/secret/data/kept', { data: { a: '1' } });
    const data = { data: { a: '2' } };
    const refused = [
      await client.post('/v1/secret/data/kept', data, ifMatch('"1"')),
      await client.post('/v1/secret/data/kept', data, { headers: { 'if-none-match': '*' } }),
      await client.patch('/v1/secret/data/kept', data, ifMatch('"1"', MERGE)),
      await client.call('DELETE', '/v1/secret/metadata/kept', undefined, ifMatch('"1"')),
      await client.post(
        '/v1/sys/mounts/conditional',
        { type: 'kv-v2' },
        { headers: { 'if-none-match': '*' } },
      ),
      await client.patch(SMTP, { data: { attributes: { port: 25 } } }, { headers: { 'if-none-match': '*' } }),
    ];
    for (const answer of refused) {
      expect(answer.status, answer.text).to.equal(400);
      expect(answer.text).to.match(/leave If-(None-)?Match out/);
    }
    expect(refused[0]?.text).to.include('options.cas');
    const kept = await client.get('/v1/secret/data/kept', { headers: { 'if-none-match': '"x"' } });
    expect(kept.body.data.data).to.deep.equal({ a: '1' });
    expect((await client.get('/v1/sys/mounts/conditional')).status).to.equal(400);
  });

  it('exactly one of several who make a destination with If-None-Match makes it', async () => {
    const make = () =>
      sealift.client.post(`${PATH}/both`, cloud1Settings(), { headers: { 'if-none-match': '*' } });
    const statuses = (await Promise.all([make(), make(), make()])).map(({ status }) => status);
    expect(statuses).to.have.members([200, 412, 412]);
  });

  it('exactly one of several who make one namespace, team or role with If-None-Match makes it', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/auth/machines', { type: 'approle' });
    await client.post('/v1/sys/auth/issuer', { type: 'jwt' });
    const jwt = { user_claim: 'sub', bound_subject: 'ana' };
    const things: [path: string, body: object, made: number][] = [
      ['/v1/sys/namespaces/both', {}, 200],
      ['/v1/sys/teams/both', { policies: ['default'] }, 204],
      ['/v1/auth/machines/role/both', {}, 204],
      ['/v1/auth/issuer/role/both', jwt, 204],
    ];
    for (const [path, body, made] of things) {
      const make = (ifNoneMatch = '*') =>
        client.post(path, body, { headers: { 'if-none-match': ifNoneMatch } });
      const answers = await Promise.all([make(), make(), make()]);
      const statuses = answers.map(({ status }) => status);
      expect(statuses, path).to.have.members([made, 412, 412]);
      expect((await make()).text, path).to.match(/the name is taken: .*both\/? already exists"/);
      expect((await make('"1"')).status, path).to.equal(400);
      expect((await client.post(path, body)).status, path).to.equal(made);
    }
  });

  it('exactly one of many who change one revision of a destination does', async () => {
    const { client } = sealift;
    const made = await client.post(`${PATH}/race`, cloud1Settings());
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((team) =>
        client.patch(`${PATH}/race`, { custom_tags: { team } }, ifMatch(tagOf(made), MERGE)),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 412)).to.have.length(4);
  });

  it('a settings document tells its revision and set secrets, and refuses a late change', async () => {
    const { client } = sealift;
    const first = await client.get(SMTP);
    expect(first.body.data.meta).to.deep.equal({
      revision: '0',
      'changed-at': null,
      'changed-by': null,
      set: [],
    });
    const body = (attributes: object): object => ({ data: { attributes } });
    const changed = await asAna('PATCH', SMTP, body({ sender: 'a@example.com', password: 'a-hidden-value' }));
    expect(changed.body.data.meta['changed-by']).to.match(/ana$/);
    expect(changed.body.data.meta.set).to.deep.equal(['password']);
    expect(changed.text).to.not.include('a-hidden-value');
    const late = await client.patch(SMTP, body({ sender: 'b@example.com' }), ifMatch(tagOf(first)));
    expect(late.status, late.text).to.equal(412);
    expect(late.body.errors[0].detail).to.match(/smtp-settings was changed by [\w-]*ana/);
    expect((await client.get(SMTP)).body.data.attributes.sender).to.equal('a@example.com');
    const right = await client.patch(SMTP, body({ sender: 'b@example.com' }), ifMatch(tagOf(late)));
    expect(right.status, right.text).to.equal(200);
    expect(right.body.data.attributes.sender).to.equal('b@example.com');
  });

  it('exactly one of many who change one revision of a settings document does', async () => {
    const before = tagOf(await sealift.client.get(SMTP));
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) =>
        sealift.client.patch(
          SMTP,
          { data: { attributes: { sender: `${name}@example.org` } } },
          ifMatch(before),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 412)).to.have.length(3);
  });

  it('policies have revisions too, for writing and for deleting', async () => {
    const { client } = sealift;
    const write = (capability: string, options = {}) =>
      client.post(POLICY, { path: { 'secret/*': { capabilities: [capability] } } }, options);
    await write('read');
    const first = await client.get(POLICY);
    await asAna('POST', POLICY, { path: { 'secret/*': { capabilities: ['list'] } } });
    expect((await write('read', ifMatch(tagOf(first)))).status).to.equal(412);
    expect((await client.call('DELETE', POLICY, undefined, ifMatch(tagOf(first)))).status).to.equal(412);
    const second = await client.get(POLICY);
    expect((await lastChangeOf('sys/policy/READER')).body.data.changed_by).to.match(/ana$/);
    expect(second.body.data.policy).to.include('list');
    expect((await write('read', ifMatch(tagOf(second)))).status).to.equal(204);
  });

  it("a policy that several people make at once is one person's, and no one overwrites it unseen", async () => {
    const make = (name: string) =>
      sealift.client.post(
        `${POLICY}-new`,
        { path: { [`secret/${name}`]: { capabilities: ['read'] } } },
        { headers: { 'if-none-match': '*' } },
      );
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(names.map(make));
    expect(answers.map(({ status }) => status)).to.have.members([204, 412, 412, 412, 412, 412]);
    const winner = names[answers.findIndex(({ status }) => status === 204)];
    const stored = await sealift.client.get(`${POLICY}-new`);
    expect(stored.body.data.policy).to.include(`secret/${winner}`);
    expect(tagOf(stored)).to.match(/^"1-/);
  });

  it('a version of a policy engine has revisions too', async () => {
    const { client } = sealift;
    const path = '/api/v2/admin/policy-engine-versions';
    const attributes = { version: '9.9.9', url: 'https://releases.test/engine', sha: 'a'.repeat(64) };
    const made = await client.post(path, { data: { type: 'policy-engine-versions', attributes } });
    const own = `${path}/${made.body.data.id}`;
    const first = await client.get(own);
    const change = { data: { type: 'policy-engine-versions', attributes: { enabled: false } } };
    const changed = await asAna('PATCH', own, change);
    expect(changed.body.data.meta['changed-by']).to.match(/ana$/);
    expect((await client.patch(own, change, ifMatch(tagOf(first)))).status).to.equal(412);
    expect((await client.patch(own, change, ifMatch(tagOf(changed)))).status).to.equal(200);
    expect((await client.call('DELETE', own, undefined, ifMatch(tagOf(first)))).status).to.equal(412);
    expect((await client.get(own)).status).to.equal(200);
    expect((await client.call('DELETE', own, undefined, ifMatch(tagOf(changed)))).status).to.equal(204);
    for (const condition of ['*', tagOf(changed)]) {
      expect((await client.call('DELETE', own, undefined, ifMatch(condition))).status).to.equal(412);
      expect((await client.patch(own, change, ifMatch(condition))).status).to.equal(412);
    }
    expect((await client.delete(own)).status).to.equal(404);
  });
});
