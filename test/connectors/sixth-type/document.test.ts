import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../deploy/local/root.ts';

const folder = join(projectRoot, 'test/connectors/sixth-type');
const manual = readFileSync(join(projectRoot, 'docs/writing-a-connector.md'), 'utf8');

/** The code blocks of the document by the file their heading names. */
function readBlocks(): Record<string, string> {
  const sections = manual.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.flatMap((section) => {
      const [, name] = /^.*: `([\w.-]+\.ts)`\n/.exec(section) ?? [];
      const [, code] = /^```ts\n([\s\S]*?)^```$/m.exec(section) ?? [];
      return name === undefined || code === undefined ? [] : [[name, code]];
    }),
  );
}

describe('the document on writing a connector', () => {
  const blocks = readBlocks();
  const files = readdirSync(folder).filter((name) => name !== 'document.test.ts');

  it('the document shows every file of its example', () => {
    expect(Object.keys(blocks).toSorted()).to.deep.equal(files.toSorted());
  });

  for (const file of files) {
    it(`the document shows ${file} as it passes the conformance suite`, () => {
      expect(blocks[file]).to.equal(readFileSync(join(folder, file), 'utf8'));
    });
  }
});
