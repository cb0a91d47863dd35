import { expect } from 'chai';
import { readSource, readSources } from './sources.ts';
import { findPoorNames } from './words.ts';

const faultsOf = (text: string): string[] => findPoorNames([readSource('libs/a.ts', text)]);

describe('the rule for names', () => {
  it('no variable, parameter or function is named by a preposition or lone participle', () => {
    expect(findPoorNames(readSources())).to.deep.equal([]);
  });

  for (const text of [
    `const at = 1;`,
    `function told() {}`,
    `function a(of: string) {}`,
    `const a = (how = 1, [on]: number[], { held: asked }: A) => how;`,
    `const { a: told, ...asked } = b;`,
    `function a(...asked: string[]) {}`,
  ])
    it(`a poor name in \`${text}\` is found`, () => expect(faultsOf(text)).not.to.have.length(0));

  it('an empty word is found in a connector and in a step of the engine', () => {
    const text = `function put(tools: Tools) { const parts = []; }`;
    for (const path of ['services/connectors/a/b.ts', 'libs/sync/push/b.ts'])
      expect(findPoorNames([readSource(path, text)])).to.have.length(2);
  });

  it('a field keeps its name where it is taken out of its object', () => {
    expect(faultsOf(`const { at, of = 1 } = line; const from = { at, told: 2 };`)).to.deep.equal([]);
  });
});
