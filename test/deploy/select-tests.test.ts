import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { NoTestFound, selectTests } from '../support/select-tests.ts';

const files = [
  'dist/test/api/tokens.test.js',
  'dist/test/api/unknown-tokens.test.js',
  'dist/test/e2e/late-writes.test.js',
];

/** The selection that `make test TESTS=…` makes before it starts any test. */
function select(tests: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ['dist/test/support/select.js'], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'], TESTS: tests },
  });
}

describe('the selection of tests', () => {
  it('a word selects every test file whose path contains it', () => {
    expect(selectTests(['tokens'], files)).to.deep.equal(files.slice(0, 2));
    expect(selectTests(['api/tokens', 'late'], files)).to.deep.equal([files[0], files[2]]);
  });

  it('the path of a source or of a compiled file is taken, and a pattern is left to mocha', () => {
    expect(selectTests(['test/api/tokens.test.ts'], files)).to.deep.equal([files[0]]);
    expect(selectTests(['dist/test/api/tokens.test.js'], files)).to.deep.equal([files[0]]);
    expect(selectTests(['./dist/test/e2e/late-writes.test.js'], files)).to.deep.equal([files[2]]);
    expect(selectTests(['dist/test/api/*.test.js'], files)).to.deep.equal(['dist/test/api/*.test.js']);
  });

  it('each file runs once, and all files run without a word', () => {
    expect(selectTests(['tokens', 'unknown'], files)).to.deep.equal([files[0], files[1]]);
    expect(selectTests([], files)).to.deep.equal(files);
  });

  it('a word that is in no path is refused, also beside one that is', () => {
    expect(() => selectTests(['tokens', 'nothing-like-it'], files)).to.throw(
      NoTestFound,
      /"nothing-like-it"/,
    );
  });

  it('the selection prints compiled files, and fails with one clear sentence where it finds none', async () => {
    const { stdout } = await select('deploy/select-tests');
    expect(stdout).to.equal('dist/test/deploy/select-tests.test.js\n');
    const failure: unknown = await select('nothing-like-it').catch((error: unknown) => error);
    expect(failure).to.include({ code: 1 });
    expect(failure)
      .to.have.property('stderr')
      .that.matches(/^No test file has "nothing-like-it" in its path\./);
  });

  it('a title that only one of two files has lets the run pass, and one that none has fails it', async () => {
    const pair = ['dist/test/deploy/select-tests.test.js', 'dist/test/deploy/dockerfile.test.js'];
    // Ignores this project's configuration, because the chosen tests need no servers.
    const options = ['--no-config', '--parallel', '--exit', '--reporter', './dist/test/support/reporter.js'];
    const run = (title: string) =>
      promisify(execFile)('node_modules/.bin/mocha', [...options, '--fgrep', title, ...pair], {
        cwd: projectRoot,
      });
    const { stdout } = await run('a word that is in no path is refused');
    expect(stdout).to.contain('1 passed, 0 failed');
    const refusal = await run('no test bears this title').catch((error: unknown) => error);
    expect(refusal).to.include({ code: 1 });
  });
});
