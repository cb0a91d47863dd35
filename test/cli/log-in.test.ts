import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf } from './support.ts';

describe('`login`', function () {
  // Each verb runs in its own process.
  let sealift: Sealift;
  let folder: string;
  let credentials: string;
  const noToken = { SEALIFT_TOKEN: '' };
  before(async () => {
    sealift = await startSealift();
    folder = mkdtempSync(join(tmpdir(), 'sealift-login-'));
    const { client } = sealift;
    await client.post('/v1/sys/auth/ci', { type: 'approle' });
    await client.post('/v1/auth/ci/role/web', { token_policies: ['default'], token_ttl: '15m' });
    const role = await client.get('/v1/auth/ci/role/web/role-id');
    const made = await client.post('/v1/auth/ci/role/web/secret-id', {});
    const file = join(folder, 'secret-id');
    writeFileSync(file, `${made.body.data.secret_id}\n`);
    credentials = `role_id=${role.body.data.role_id} secret_id=@${file}`;
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sealift.stop();
  });

  it('a machine without a token gets one, alone on standard output, and works with it', async () => {
    const { run } = commandsOf(() => sealift);
    const ended = await run(`login ci ${credentials}`, { environment: noToken });
    expect(ended, ended.stderr).to.include({ code: 0, stderr: '' });
    const token = ended.stdout.trim();
    const own = await run('token lookup', { environment: { SEALIFT_TOKEN: token } });
    expect(own.stdout).to.match(/policies +\["default"\]/);
  });

  it('a token is shown with its accessor, policies and lifetime as JSON', async () => {
    const { json } = commandsOf(() => sealift);
    const made = await json(`login ci ${credentials}`);
    expect(made).to.have.all.keys('token', 'accessor', 'policies', 'ttl_seconds');
    expect(made).to.deep.include({ policies: ['default'], ttl_seconds: 900 });
  });

  it('a token that is set is not sent, so one that has expired does no harm', async () => {
    const { run } = commandsOf(() => sealift);
    const ended = await run(`login ci ${credentials}`, { environment: { SEALIFT_TOKEN: 'long gone' } });
    expect(ended.code, ended.stderr).to.equal(0);
  });

  it('wrong credentials and an unknown method are refused in the words of the API', async () => {
    const { run } = commandsOf(() => sealift);
    const wrong = await run('login ci role_id=none secret_id=-', { input: 'none', environment: noToken });
    expect(wrong).to.deep.include({ code: 1, stdout: '' });
    expect(wrong.stderr).to.include('invalid role or secret ID');
    const unknown = await run('login nowhere role=a jwt=b', { environment: noToken });
    expect(unknown).to.deep.include({ code: 4, stdout: '' });
    expect(unknown.stderr).to.include('no auth method of this name lets you in');
  });
});
