import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';

describe('the list of failed test files', function () {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'sealift-failed-'))));
  after(() => rmSync(folder, { recursive: true }));

  const listAfter = async (hook: string): Promise<string> => {
    const list = join(folder, hook);
    // Ignores this project's configuration, because the chosen tests need no servers.
    const options = ['--no-config', '--parallel', '--exit', '--reporter', './dist/test/support/reporter.js'];
    const own = [
      '--reporter-option',
      `failed-tests=${list}`,
      '--require',
      `./dist/test/deploy/support/${hook}.js`,
    ];
    const files = ['dist/test/deploy/select-tests.test.js', 'dist/test/deploy/failed-tests.test.js'];
    const title = ['--fgrep', 'a word that is in no path is refused'];
    const run = promisify(execFile)('node_modules/.bin/mocha', [...options, ...own, ...title, ...files], {
      cwd: projectRoot,
    });
    await run.then(
      () => expect.fail('the run passed'),
      () => undefined,
    );
    return readFileSync(list, 'utf8');
  };

  it('a file is listed when a hook around its tests fails, so that it can run once more', async () => {
    expect(await listAfter('failing-hook')).to.equal('test/deploy/select-tests.test.ts\n');
  });

  it('no file is listed where a failure is of none, so that the run itself counts as failed', async () => {
    expect(await listAfter('nameless-hook')).to.equal('');
  });
});
