import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { mutations } from './mutations.ts';

describe('the list of mutations', () => {
  for (const { name, file, find } of mutations)
    it(`fits the source: ${name}`, async () => {
      const source = await readFile(join(projectRoot, file), 'utf8');
      expect(source.split(find)).to.have.length(2);
    });

  it('holds twenty or more, each with a test that is to notice it', () => {
    expect(mutations.length).to.be.at.least(20);
    for (const { tests } of mutations) expect(tests).to.not.deep.equal([]);
  });
});
