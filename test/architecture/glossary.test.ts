import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot, readSources } from './sources.ts';

const page = readFileSync(join(projectRoot, 'ARCHITECTURE.md'), 'utf8');
const [, table = ''] = /^The engine's words are[^\n]*\n\n((?:\|[^\n]*\n)+)/m.exec(page) ?? [];
const words = [...table.matchAll(/^\| ([a-z ]+?) +\|/gm)]
  .map(([, word = '']) => word)
  .filter((word) => word !== 'type');

/** The words of a name in capitals and small letters: `WorkOrder` has work and order. */
function wordsIn(name: string): string[] {
  return (name.match(/[A-Z][a-z]+/g) ?? []).map((word) => word.toLowerCase());
}

describe("the glossary's table of the engine", () => {
  const sources = readSources();
  const isType = ({ code }: { code: string }, name: string): boolean =>
    new RegExp(`export (?:type|class|interface) ${name}\\b`).test(code);
  const typesBelow = (folders: RegExp): string[] =>
    sources
      .filter(({ path }) => folders.test(path))
      .flatMap((source) => source.exports.filter((name) => isType(source, name)));

  it('the glossary has each type of the engine that has a single word for its name', () => {
    const single = typesBelow(/^libs\/sync\//).filter((name) => wordsIn(name).length === 1);
    expect(single).to.include.members(['Plan', 'Write', 'Lease']);
    expect(single.filter((name) => !words.includes(name.toLowerCase()))).to.deep.equal([]);
  });

  it('the glossary has no word that is not the name, or the last word of the name, of a type', () => {
    const types = typesBelow(/^libs\/(?:sync|store\/orders|store\/maintenance|db\/failover)\//);
    const last = new Set(types.map((name) => wordsIn(name).at(-1)));
    // A part of a plan, without a type of its own.
    const fields = ['leftover'];
    expect(words).to.have.length.above(10);
    expect(words.filter((word) => !last.has(word) && !fields.includes(word))).to.deep.equal([]);
    const plan = sources.find(({ path }) => path === 'libs/sync/push/plan.ts');
    expect(fields.filter((field) => !plan?.code.includes(`${field}: `))).to.deep.equal([]);
  });
});
