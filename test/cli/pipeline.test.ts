import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf, program } from './support.ts';

const run = promisify(execFile);
const page = readFileSync(join(projectRoot, 'docs/auth-methods.md'), 'utf8');
const blocks = [...page.matchAll(/```sh pipeline\n([\s\S]*?)```/g)].map(([, block = '']) => block);

describe('what is handed over to a pipeline', () => {
  // Each command runs in its own process.
  let sealift: Sealift;
  let folder: string;

  before(async () => {
    sealift = await startSealift();
    folder = mkdtempSync(join(tmpdir(), 'pipeline-'));
    symlinkSync(program, join(folder, 'sealift'));
    await sealift.client.post('/v1/secret/data/build/deploy', { data: { token: 'for the deployment' } });
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sealift.stop();
  });

  const follow = async (block: string, token: string): Promise<string> => {
    const env = {
      PATH: [folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      SEALIFT_URL: sealift.url,
      SEALIFT_TOKEN: token,
    };
    return (await run('bash', ['-eo', 'pipefail', '-c', block], { env, cwd: folder, timeout: 60_000 }))
      .stdout;
  };

  it('a pipeline reads its secret by the steps of the page, without a token from anybody', async () => {
    const [setUp = '', pipeline = '', ...others] = blocks;
    expect(others).to.deep.equal([]);
    await follow(setUp, sealift.token);
    expect(await follow(pipeline, '')).to.equal('for the deployment');
  });

  it('`kv get` and `token create` hand over a token, with which `unwrap` fetches their answer', async () => {
    const command = commandsOf(() => sealift);
    const file = join(folder, 'handed-over');
    const noToken = { environment: { SEALIFT_TOKEN: '' } };
    for (const [words, found] of [
      ['kv get secret/build/deploy', 'for the deployment'],
      ['token create --name handed-over', 'client_token'],
    ] as const) {
      const made = await command.run(`${words} --wrap-ttl 5m`);
      expect(made.stdout)
        .to.match(/^\S+\n$/)
        .and.not.contain(found);
      writeFileSync(file, made.stdout);
      expect((await command.run(`unwrap token=@${file}`, noToken)).stdout).to.contain(found);
    }
    const { wrapped_accessor: accessor, ttl } = await command.json('token create --wrap-ttl 90');
    expect([accessor.length > 0, ttl]).to.deep.equal([true, 90]);
    for (const wrong of ['--wrap-ttl 0', '--wrap-ttl soon', '--wrap-ttl 5m --field token'])
      expect((await command.run(`kv get secret/build/deploy ${wrong}`)).code, wrong).to.not.equal(0);
  });

  it('`unwrap` shows a wrapped answer once, and says what it needs', async () => {
    const headers = { 'x-vault-wrap-ttl': '5m' };
    const { body } = await sealift.client.get('/v1/secret/data/build/deploy', { headers });
    const file = join(folder, 'wrapping-token');
    writeFileSync(file, `${body.wrap_info.token}\n`);
    const command = commandsOf(() => sealift);
    const noToken = { environment: { SEALIFT_TOKEN: '' } };
    expect((await command.run(`unwrap token=@${file}`, noToken)).stdout).to.contain('for the deployment');
    const again = await command.run(`unwrap token=@${file}`, noToken);
    expect(again).to.deep.include({ code: 1, stdout: '' });
    expect(again.stderr).to.contain('wrapping token is not valid or does not exist');
    const wrong = await command.run('unwrap jwt=x', noToken);
    expect(wrong).to.deep.include({ code: 2, stdout: '' });
    expect(wrong.stderr).to.contain('token=@file');
  });
});
