import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { program } from './support.ts';

const run = promisify(execFile);
const page = readFileSync(join(projectRoot, 'docs/cli.md'), 'utf8');
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

describe('the page about the command line', () => {
  // Each command runs in its own process.
  let scene: Cloud1Scene;
  let folder: string;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    folder = mkdtempSync(join(tmpdir(), 'guide-'));
    // As npm installs it: a link, which only an executable file can follow.
    symlinkSync(program, join(folder, 'sealift'));
    writeFileSync(join(folder, 'key.txt'), 'a-secret-key');
  });

  after(async () => {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the daily work of the page is done as it stands, from the credentials to a synced secret', async () => {
    expect(blocks).to.have.length(1);
    const environment = {
      PATH: [folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      SEALIFT_URL: scene.sealift.url,
      SEALIFT_TOKEN: scene.sealift.token,
      PASSWORD: 's3cret',
    };
    const options = { env: environment, cwd: folder, timeout: 80_000 };
    await run('bash', ['-eo', 'pipefail', '-c', blocks.join('')], options);
    const [entry] = scene.fake.entries();
    expect(JSON.parse(entry?.value ?? '')).to.deep.equal({ user: 'app', password: 's3cret' });
  });
});
