import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyCurl } from './support/copy.ts';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const run = promisify(execFile);

describe('actions of several calls, copied as curl', function () {
  let scene: ConsoleScene;
  let folder: string;

  before(async function () {
    this.timeout(600_000);
    folder = mkdtempSync(join(tmpdir(), 'sealift-copies-'));
    scene = await openConsoleScene();
    await scene.link('app/db');
    // Of a link without an entry, Unlink deletes none.
    await scene.driver.settles('app/db', 'SYNCED');
  });

  after(async () => {
    rmSync(folder, { recursive: true });
    await scene.close();
  });

  const signIn = () => scene.signIn({ permissions: ['clipboard-read', 'clipboard-write'] });

  const runInShell = (text: string) => {
    const { url, token } = scene.sealift;
    const env = { PATH: process.env['PATH'] ?? '', SEALIFT_URL: url, SEALIFT_TOKEN: token };
    return run('bash', ['-c', text], { cwd: folder, env, timeout: 15_000 });
  };

  it('the copy of Create and link creates and links, and links nothing if the name is taken', async () => {
    const watched = await signIn();
    const { page, context } = watched;
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'second');
    await continueToOptions(page);
    await continueToSecrets(page);
    await page.getByLabel('Secrets (one per line)').fill('app/db');
    const text = await copyCurl(watched, 'Create and link');
    expect(text).to.not.include('a-secret-key');
    const [, body = ''] = /^# body\.json: (.*)$/m.exec(text) ?? [];
    writeFileSync(join(folder, 'body.json'), body.replace('<secret_access_key>', 'a-secret-key'));
    const { stdout } = await runInShell(text);
    expect(stdout, stdout).to.include('"outcome":"linked"');
    const again = await runInShell(text).catch((error: { stdout: string }) => error);
    expect(again).to.be.instanceOf(Error);
    expect(again.stdout).to.not.include('"outcome"');
    await context.close();
  });

  it('the copy of Unlink says how it goes on if there are more links than one call removes', async () => {
    const watched = await signIn();
    const { page, context } = watched;
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=app`);
    await page.getByRole('button', { name: /^Unlink [\d,]+…$/ }).click();
    const text = await copyCurl(watched, 'Unlink and delete 1 entry');
    expect(text).to.include('next_after');
    expect((await runInShell(text)).stdout).to.include('"outcome":"removing"');
    await context.close();
  });
});
