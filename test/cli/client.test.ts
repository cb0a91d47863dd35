import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf, runCommand } from './support.ts';

describe('the client verbs', function () {
  // Each verb runs in its own process.
  let sealift: Sealift;
  let fake: Fake;
  let folder: string;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ workers: { cloud1: cloud1Worker(fake) } });
    folder = mkdtempSync(join(tmpdir(), 'sealift-cli-'));
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    await sealift.client.post('/v1/sys/mounts/team/kv', { type: 'kv-v2' });
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sealift.stop();
    await fake.close();
  });

  const { run, json } = commandsOf(() => sealift);
  const file = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('`kv` takes values from arguments, files and standard input exactly as they are', async () => {
    const pem = '-----BEGIN KEY-----\nabc\n-----END KEY-----\n';
    const put = await run(
      `kv put secret/app/db plain=text cert=@${file('pem', pem)} password=- at=\\@home port:=5432`,
      {
        input: 's3cret\n',
      },
    );
    expect(put.code, put.stderr).to.equal(0);
    expect(put.stdout).to.equal('secret/app/db has version 1 now\n');
    expect((await json('kv get secret/app/db')).data).to.deep.equal({
      plain: 'text',
      cert: pem,
      password: 's3cret\n',
      at: '@home',
      port: 5432,
    });
    expect((await run('kv get secret/app/db --field cert')).stdout).to.equal(pem);
  });

  it('`kv` takes a whole object, and keeps every digit of its numbers', async () => {
    await json('kv put secret/numbers -', '{"big":12345678901234567890,"exact":1.10,"none":null}');
    expect((await run('kv get secret/numbers --json')).stdout).to.contain(
      '"big":12345678901234567890,"exact":1.10',
    );
    expect((await run('kv get secret/numbers --field big')).stdout).to.equal('12345678901234567890');
    expect((await run('kv get secret/numbers --field none')).stdout).to.equal('null');
    await json(`kv put secret/object @${file('object.json', '{"a":"1"}')} b=2`);
    expect((await json('kv get secret/object')).data).to.deep.equal({ a: '1', b: '2' });
  });

  it('`kv` finds the mount of a path, merges, lists, and deletes', async () => {
    await json('kv put team/kv/deep/one a=1 b=2');
    expect((await json('kv patch team/kv/deep/one b:=null c=3')).version).to.equal(2);
    expect((await json('kv get -m team/kv deep/one')).data).to.deep.equal({ a: '1', c: '3' });
    expect((await json('kv get team/kv/deep/one --at 1')).data).to.deep.equal({ a: '1', b: '2' });
    expect((await json('kv list team/kv')).keys).to.deep.equal(['deep/']);
    expect((await run('kv list team/kv/deep')).stdout).to.equal('KEY\none\n');
    expect((await run('kv put team/kv/deep/one a=1 --cas 1')).code).to.equal(1);
    expect(await json('kv delete team/kv/deep/one')).to.deep.equal({ deleted: true });
    expect((await run('kv get team/kv/deep/one')).code).to.equal(3);
    const { destroyed } = await json('kv delete team/kv/deep/one --versions 1 --destroy');
    expect(destroyed).to.equal(true);
    await json('kv delete team/kv/deep/one --all');
    expect((await run('kv list team/kv/deep')).code).to.equal(3);
  });

  it('`destination` and `association` bring a secret to its store, with tables for people', async () => {
    const key = file('key', 'a-secret-key');
    const put = await run(
      `destination put cloud1-sm/prod access_key_id=AKIAEXAMPLEONE secret_access_key=@${key} region=eu-west-1`,
    );
    expect(put.code, put.stderr).to.equal(0);
    expect(put.stdout).to.contain('*****').and.not.to.contain('a-secret-key');
    expect((await run('destination list')).stdout).to.match(/^TYPE\s+NAME\ncloud1-sm\s+prod\n$/);
    expect((await run('destination check cloud1-sm/prod')).code).to.equal(0);
    await json('kv put secret/app/synced password=s3cret');
    expect((await json('association plan cloud1-sm/prod secret/app/synced')).planned[0].action).to.equal(
      'create',
    );
    expect((await run('association set cloud1-sm/prod secret/app/synced')).code).to.equal(0);
    const watched = await run('status cloud1-sm/prod --watch --interval 0.1 --timeout 15s');
    expect(watched.code, watched.stderr).to.equal(0);
    expect(watched.stderr).to.match(/1 of 1 link done, 0 pending, 0 failed\n$/);
    expect(watched.stdout).to.match(/^DESTINATION\s+LINKS\s+SYNCED\ncloud1-sm\/prod\s+1\s+1\n$/);
    const [one] = await json('association status cloud1-sm/prod secret/app/synced');
    expect(one.sync_status).to.equal('SYNCED');
    expect((await run('association list')).stdout).to.match(
      /cloud1-sm\/prod\s+AWS Secrets Manager\s+secret\/app\/synced .*SYNCED/,
    );
    expect((await run('association history cloud1-sm/prod secret/app/synced')).stdout).to.match(
      / create +\S*app\/synced +1 +SYNCED /,
    );
    expect((await json('association verify cloud1-sm/prod secret/app/synced')).entries).to.have.length(1);
    expect((await run('destination delete cloud1-sm/prod')).code).to.equal(1);
    expect((await run('association remove cloud1-sm/prod secret/app/synced')).code).to.equal(0);
    await run('status --watch --interval 0.1 --timeout 15');
    expect((await run('destination delete cloud1-sm/prod')).code).to.equal(0);
    const missing = await run('destination get cloud1-sm/prod');
    expect(missing.code).to.equal(3);
    expect(missing.stderr).to.equal('sealift: not found: sys/sync/destinations/cloud1-sm/prod\n');
  });

  it('`status --watch` follows a drain to its end, and ends with 1 where something failed', async () => {
    await json(
      'destination put cloud1-sm/drain access_key_id=AKIAEXAMPLEONE secret_access_key=a-secret-key region=eu-north-1',
    );
    const { client } = sealift;
    await client.patch(
      '/v1/sys/sync/config',
      { disabled: true },
      { headers: { 'content-type': 'application/merge-patch+json' } },
    );
    for (let index = 0; index < 20; index += 1) {
      await client.post(`/v1/secret/data/drain/${index}`, { data: { value: String(index) } });
      await client.post('/v1/sys/sync/destinations/cloud1-sm/drain/associations/set', {
        mount: 'secret',
        secret_name: `drain/${index}`,
      });
    }
    const stuck = await run('status --watch --interval 0.1 --timeout 0.3');
    expect(stuck.code).to.equal(1);
    expect(stuck.stderr).to.contain('0 of 20 links done, 20 pending');
    expect((await json('status')).waiting).to.equal(20);
    const watching = run('status --watch --interval 0.05 --timeout 20 --json');
    await client.patch(
      '/v1/sys/sync/config',
      { disabled: false },
      { headers: { 'content-type': 'application/merge-patch+json' } },
    );
    const ended = await watching;
    expect(ended.code, ended.stderr).to.equal(0);
    const looks = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(looks.at(-1)).to.include({ total: 20, settled: 20, waiting: 0, failed: 0 });
    const failure = {
      class: 'CLIENT_SIDE_ERROR',
      code: 'permission_missing',
      message: 'No right.\u001b[31m',
    };
    const { db } = sealift.context;
    const row = { secret_path: 'drain/7' };
    await db('associations')
      .where(row)
      .update({ failure: JSON.stringify(failure) });
    const failed = await run('status --watch');
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.contain('19 of 20 links done, 0 pending, 1 failed');
    const list = await run('association list cloud1-sm/drain');
    expect(list.stdout).to.contain('permission_missing').and.not.to.contain('\u001b');
    await db('associations').where(row).update({ failure: null });
    await db('destinations')
      .where({ name: 'drain' })
      .update({ throttled_until: new Date(Date.now() + 3_600_000) });
    await client.post('/v1/secret/data/drain/7', { data: { value: 'changed' } });
    const throttled = await run('status --watch --interval 0.1 --timeout 0.3');
    expect(throttled.stderr).to.contain('not done in time: 1 pending (1 rate-limited)');
  });

  it('`token` makes a token that is shown once and may do no more than it should', async () => {
    const made = await json('token create --policy default --ttl 1h --name ci');
    expect(made.token).to.match(/^slt\./);
    const environment = { SEALIFT_TOKEN: made.token };
    expect((await run('token lookup', { environment })).stdout).not.to.contain(made.token);
    expect((await run('destination list', { environment })).code).to.equal(4);
    await json(`token revoke --accessor ${made.accessor}`);
    expect((await run('token lookup', { environment })).code).to.equal(4);
  });

  it('the verbs take the token from a file, and never show it', async () => {
    const words = `token lookup --token-file ${file('token', `${sealift.token}\n`)} --url ${sealift.url}/`;
    const ended = await runCommand(words.split(' '), {});
    expect(ended.code, ended.stderr).to.equal(0);
    expect(ended.stdout).to.contain('root').and.not.to.contain(sealift.token);
  });

  it('the verbs end with the exit code of the fault, and a sentence that repeats no value', async () => {
    const expectCode = async (words: string, code: number, environment: Record<string, string> = {}) => {
      const ended = await run(words, { environment });
      expect(ended.code, `${words}: ${ended.stderr}`).to.equal(code);
      expect(ended.stderr, words).to.match(/\S/).and.not.to.contain('hunter2');
      expect(ended.stdout, words).to.equal('');
    };
    await expectCode('nonsense', 2);
    await expectCode('kv get', 2);
    await expectCode('kv get secret/x --no-such-option', 2);
    await expectCode('destination get only-a-type', 2);
    await expectCode('kv put secret/x =hunter2', 2);
    await expectCode('kv put secret/x hunter2', 2);
    await expectCode('kv put secret/x a:={hunter2', 2);
    await expectCode('kv put secret/x a=- b=-', 2);
    await expectCode('kv put secret/x password=-', 2);
    await expectCode('kv put secret/x a=@/no/such/file', 1);
    await expectCode(`kv put secret/x a=@${file('binary', Buffer.from([0xff, 0xfe, 0x00]))}`, 1);
    await expectCode('kv get secret/not-there', 3);
    await expectCode('association list cloud1-sm/not-there', 3);
    await expectCode('kv get secret/x', 4, { SEALIFT_TOKEN: 'slt.hunter2' });
    await expectCode('kv get secret/x', 5, { SEALIFT_URL: 'http://127.0.0.1:1' });
    await expectCode('kv get secret/x', 78, { SEALIFT_TOKEN: '' });
    await expectCode('kv get secret/x', 78, { SEALIFT_URL: 'ftp://example.com' });
    await expectCode('kv get secret/x --token-file /no/such/file', 78);
  });

  it('`destination` with --if-revision or --if-absent changes nothing that others have changed', async () => {
    const words = 'access_key_id=AKIAEXAMPLE secret_access_key=example region=eu-west-1';
    const made = await json(`destination put cloud1-sm/shared ${words} --if-absent`);
    expect((await run(`destination put cloud1-sm/shared ${words} --if-absent`)).stderr).to.include(
      'already exists',
    );
    await json(`destination patch cloud1-sm/shared drift_check=true --if-revision ${made.revision}`);
    const late = await run(`destination delete cloud1-sm/shared --if-revision ${made.revision}`);
    expect(late.code).to.equal(1);
    expect(late.stderr).to.match(/was changed by .* read it again/);
    const { revision } = await json('destination get cloud1-sm/shared');
    await json(`destination delete cloud1-sm/shared --if-revision ${revision}`);
  });

  it('`session` shows who is signed in, and ends it', async () => {
    expect((await run('session list')).stdout).to.equal('there are no sessions\n');
    const page = { headers: { 'sec-fetch-site': 'same-origin' } };
    await sealift.client.post('/v1/auth/session', undefined, page);
    const [{ id, display_name: name }] = await json('session list');
    expect(name).to.equal('root');
    await json(`session end ${id}`);
    expect(await json('session list')).to.deep.equal([]);
  });

  it('`destination check` and `plan` try what is not stored, with a look at the store', async () => {
    await run('kv put secret/planned user=x');
    fake.plant({ name: 'planned', value: 'theirs' });
    const words = 'access_key_id=AKIAEXAMPLEONE secret_access_key=a-secret-key region=eu-west-1';
    const named = `${words} secret_name_template={{.SecretPath}}`;
    expect(await json(`destination check cloud1-sm/draft ${words}`)).to.include({ ok: true });
    const refused = await run(`destination check cloud1-sm/draft ${words.replace('a-secret', 'another')}`);
    expect(refused.code).to.equal(1);
    expect(refused.stdout)
      .to.match(/^code +credentials_refused$/m)
      .and.match(/\n\nThe [^{}"]+\n$/);
    const plan = `destination plan cloud1-sm/draft ${named} --secret secret/planned`;
    expect((await json(plan)).totals).to.deep.equal({ create: 1 });
    const seen = await run(`${plan} --look`);
    expect(seen.stdout).to.match(
      /secret\/planned +- +planned +conflict +an entry with this name already exists/,
    );
    expect((await run('destination get cloud1-sm/draft')).code).to.equal(3);
  });

  it('`association set-many` and `remove-many` say what became of each secret', async () => {
    for (const name of ['one', 'two']) await run(`kv put secret/many/${name} user=x`);
    const words = 'access_key_id=AKIAEXAMPLE secret_access_key=example region=eu-west-2';
    await json(`destination put cloud1-sm/many ${words}`);
    const some = await run('association set-many cloud1-sm/many secret/many/one secret/many/none');
    expect(some.code).to.equal(1);
    expect(some.stdout)
      .to.match(/many\/one +linked/)
      .and.match(/many\/none +refused +there is no secret/);
    const all = await json('association set-many cloud1-sm/many --mount secret --prefix many/');
    expect(all.map((one: { outcome: string }) => one.outcome)).to.deep.equal(['refreshed', 'linked']);
    expect((await run('association set-many cloud1-sm/many')).code).to.equal(2);
    expect((await run('association remove-many cloud1-sm/many')).code).to.equal(1);
    const removed = await json('association remove-many cloud1-sm/many --prefix secret/many/');
    expect(removed.map((one: { outcome: string }) => one.outcome)).to.deep.equal(['removing', 'removing']);
  });

  it('`search` follows a search to its end, where one answer covers only a part of the secrets', async () => {
    await sealift.client.post('/v1/secret/data/zz/needle', { data: { user: 'x' } });
    const { db } = sealift.context;
    const { id } = await db('mounts').where({ path: 'secret', namespace_id: 'root' }).first('id');
    await db.raw(
      `INSERT INTO secrets (mount_id, path, current_version)
       SELECT ?, 'bulk/' || lpad(n::text, 6, '0'), 1 FROM generate_series(1, 60000) n`,
      [id],
    );
    const found = await json('search needle');
    expect(found.secrets).to.deep.equal([{ mount: 'secret', secret_name: 'zz/needle' }]);
    expect([found.is_complete, found.next_after]).to.deep.equal([true, null]);
    const many = await run('search bulk');
    expect(many.stdout.match(/secret\/bulk\//g)).to.have.length(100);
    expect(many.stderr).to.include('there are more results: search for a longer text');
  });
});
