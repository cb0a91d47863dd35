import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { mutations } from './mutations.ts';

describe('the list of mutations', () => {
  for (const { name, file, find } of mutations)
    it(`the mutation fits the source: ${name}`, async () => {
      const source = await readFile(join(projectRoot, file), 'utf8');
      expect(source.split(find)).to.have.length(2);
    });

  it('the list holds twenty or more, each with a test that must notice it', () => {
    expect(mutations.length).to.be.at.least(20);
    for (const { tests } of mutations) expect(tests).to.not.deep.equal([]);
  });

  it('the list names only tests that exist', () => {
    const sources = mutations.flatMap(({ tests }) => tests).map((test) => test.replace(/\.js$/, '.ts'));
    expect(sources.filter((path) => !existsSync(join(projectRoot, 'test', path)))).to.deep.equal([]);
  });
});
