import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../deploy/local/root.ts';
import { describeFigures, readFigures } from './figures.ts';

describe('the figures of fault runs', () => {
  it('the README tells those of the run that was stored', async () => {
    const readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
    expect(readme).to.include(describeFigures(await readFigures()));
  });
});
