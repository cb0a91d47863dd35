import { expect } from 'chai';
import { findMutualFolders } from './siblings.ts';
import { readSource, readSources } from './sources.ts';

const faultsOf = (files: Record<string, string>): string[] =>
  findMutualFolders(Object.entries(files).map(([path, text]) => readSource(path, text)));

describe('the rule for sibling folders', () => {
  const sources = readSources();

  it('the scheduler and the push share the shapes of the engine, and neither imports the other', () => {
    const parts = ['scheduler', 'push'];
    const importers = readSources().filter(({ path, imports }) => {
      const part = parts.find((name) => path.startsWith(`libs/sync/${name}/`));
      const other = parts.find((name) => name !== part);
      return part && imports.some(({ file }) => file?.startsWith(`libs/sync/${other}/`));
    });
    expect(importers.map(({ path }) => path)).to.deep.equal([]);
  });

  it('no two sibling folders of libs and services import each other', () => {
    const product = sources.filter(({ path }) => /^(?:libs|services)\//.test(path));
    expect(findMutualFolders(product)).to.deep.equal([]);
  });

  it('two folders that import each other are found, even through types and files further down', () => {
    const files = {
      'libs/sync/push/push.ts': `import type { Lease } from '../scheduler/scheduler.ts';`,
      'libs/sync/scheduler/queue/take.ts': `export { plan } from '../../push/plan.ts';`,
    };
    expect(faultsOf(files)).to.deep.equal([
      'libs/sync/push and libs/sync/scheduler import each other: libs/sync/push/push.ts imports libs/sync/scheduler/scheduler.ts, libs/sync/scheduler/queue/take.ts imports libs/sync/push/plan.ts',
    ]);
  });

  it('imports in one direction, and those of files beside the folders, are allowed', () => {
    const files = {
      'libs/sync/push/push.ts': `import { ask } from '../ask.ts';`,
      'libs/sync/ask.ts': `import { plan } from './push/plan.ts';`,
      'libs/sync/scheduler/scheduler.ts': `import { plan } from '../push/plan.ts';`,
    };
    expect(faultsOf(files)).to.deep.equal([]);
  });
});
