import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAppKeys } from '../sandbox/github-secrets/key-pair.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf } from './support.ts';

describe('`github-app`', () => {
  // Each verb runs in its own process.
  let sealift: Sealift;
  let folder: string;
  before(async () => {
    sealift = await startSealift();
    folder = mkdtempSync(join(tmpdir(), 'sealift-app-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sealift.stop();
  });

  it('an app is written with its key from a file, shown without it, and deleted', async () => {
    const { run, json } = commandsOf(() => sealift);
    const pem = createAppKeys().privateKey;
    const path = join(folder, 'app.pem');
    writeFileSync(path, pem);
    expect((await run('github-app list')).stdout).to.equal('no GitHub Apps yet\n');
    const made = await run(`github-app write ours app_id=42 private_key=@${path}`);
    expect(made.code, made.stderr).to.equal(0);
    expect(made.stdout).to.include('fingerprint').and.not.include(pem.split('\n')[1]);
    expect(await json('github-app list')).to.deep.equal(['ours']);
    expect(await json('github-app read ours')).to.include({ app_id: 42, private_key: '*****' });
    expect((await run('github-app write ours app_id=42 private_key=none')).code).to.equal(1);
    expect((await run('github-app delete ours')).stdout).to.equal('deleted\n');
    expect((await run('github-app read ours')).code).to.equal(3);
  });
});
