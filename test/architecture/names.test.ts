import { expect } from 'chai';
import { findRepeatedNames } from './names.ts';
import { readSource, readSources } from './sources.ts';

const faultsOf = (files: Record<string, string>): string[] =>
  findRepeatedNames(Object.entries(files).map(([path, text]) => readSource(path, text)));

describe('the rule for exported names', () => {
  const sources = readSources();

  it('an exported name exists once in libs and services', () => {
    expect(findRepeatedNames(sources)).to.deep.equal([]);
  });

  it('a type and a function that two files export are found', () => {
    const files = {
      'libs/store/a.ts': `export type Cause = { code: string };\nexport const ROWS = 3;`,
      'libs/connector/b.ts': `export type Cause = { kind: string };\nexport async function ask() {}`,
      'services/api/c.ts': `export function ask() {}\nfunction ROWS() {}`,
    };
    expect(faultsOf(files)).to.deep.equal([
      'Cause is exported by libs/store/a.ts and libs/connector/b.ts',
      'ask is exported by libs/connector/b.ts and services/api/c.ts',
    ]);
  });

  it('two connectors may use one name, but none may use a name of what it can import', () => {
    const connectors = {
      'services/connectors/one/client.ts': `export type Client = object;`,
      'services/connectors/two/client.ts': `export type Client = object;`,
    };
    expect(faultsOf(connectors)).to.deep.equal([]);
    expect(faultsOf({ ...connectors, 'libs/store/c.ts': `export type Client = object;` })).to.deep.equal([]);
    expect(faultsOf({ ...connectors, 'libs/egress/c.ts': `export type Client = object;` })).to.have.length(1);
  });

  it('the console has names of its own, and shares those of the contract', () => {
    const page = { 'services/console/src/a.tsx': `export function Settings() {}` };
    expect(faultsOf({ ...page, 'libs/db/b.ts': `export type Settings = object;` })).to.deep.equal([]);
    expect(
      faultsOf({ ...page, 'services/api/contract/b.ts': `export type Settings = object;` }),
    ).to.have.length(1);
  });

  it('a name that a file only passes on is declared elsewhere, and counts once', () => {
    expect(
      faultsOf({ 'libs/a/a.ts': `export type A = 1;`, 'libs/a/b.ts': `export { type A } from './a.ts';` }),
    ).to.deep.equal([]);
  });
});
