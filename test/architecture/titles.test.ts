import { expect } from 'chai';
import { readSource } from './sources.ts';
import { findTitleFaults } from './titles.ts';

/** The faults of a test file with one test that has this title. */
function faultsOf(title: string): string[] {
  return findTitleFaults([
    readSource('test/a.test.ts', `describe('a', () => { it(${JSON.stringify(title)}, run); });`),
  ]);
}

describe('the rule for test titles', () => {
  const fragments = [
    'keeps its files small',
    'is refused with 422',
    'refuse ${text} at ${path}',
    'of two secrets one wins',
    'what is refused is not done',
    'its name stays as it was',
    '502 is an outage',
    'all run',
    '${name}',
  ];
  for (const title of fragments) {
    it(`the fragment "${title}" is found`, () => expect(faultsOf(title)).to.have.length(1));
  }

  it('a title of more than 90 letters is found', () => {
    const title = `the ${'long '.repeat(20)}title is refused`;
    expect(faultsOf(title)).to.have.length(1);
    expect(faultsOf(`${'${aLongName}'.repeat(8)} and all are counted as words`)).to.have.length(0);
  });

  const sentences = [
    'source files stay small',
    'a document of the wrong type is refused with 422',
    '${type} tells its place',
    'LIST reaches the handler',
    '`plan` writes nothing outside',
  ];
  for (const title of sentences) {
    it(`the sentence "${title}" is accepted`, () => expect(faultsOf(title)).to.deep.equal([]));
  }
});
