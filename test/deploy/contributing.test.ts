import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { readSources } from '../architecture/sources.ts';
import { selectTests } from '../support/select-tests.ts';

const guide = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8');

function findAll(pattern: RegExp): string[] {
  return [...guide.matchAll(pattern)].map(([, found]) => found ?? '');
}

describe('CONTRIBUTING.md', () => {
  it('the guide names only targets that the Makefile has', () => {
    const makefile = readFileSync(join(projectRoot, 'Makefile'), 'utf8');
    const targets = findAll(/(?:^|`)make ([a-z-]+)/gm);
    expect(targets).to.include.members(['dev', 'test', 'check']);
    expect(targets.filter((target) => !new RegExp(`^${target}:`, 'm').test(makefile))).to.deep.equal([]);
  });

  it('the guide names only tests that exist', () => {
    const files = readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => `test/${path}`);
    const words = findAll(/TESTS=('[^']+'|[\w/-]+)/g).flatMap((word) => word.replaceAll("'", '').split(' '));
    expect(words).to.include.members(['api/system', 'openapi']);
    // Throws if a word matches no path.
    selectTests(words, files);
  });

  it('the guide names only titles of tests that exist or that it shows', () => {
    const titles = [...readSources().flatMap((source) => source.titles), ...findAll(/\bit\('([^']+)'/g)];
    const words = findAll(/GREP='([^']+)'/g);
    expect(words).to.include('keyed hash');
    expect(words.filter((word) => !titles.some((title) => title.includes(word)))).to.deep.equal([]);
  });

  it('the guide names only files that exist', () => {
    const paths = [...findAll(/`((?:libs|services|test|docs)\/[\w./-]+)`/g), ...findAll(/\]\(([^)#:]+)\)/g)];
    expect(paths).to.include('test/api/system.test.ts');
    expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).to.deep.equal([]);
  });
});
