import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from './sources.ts';

const FOLDERS = ['.', 'docs', 'deploy', 'bench', 'services', 'libs', 'test'];
const TEXT = /\.(?:md|ya?ml|json|ts|tsx|css|html|sh|tf|tpl)$/;
// The second form is what a formatter makes of it in Markdown.
const MARK = /^(?:<{7} |>{7} |(?:> ){6,})/m;

describe('text in which a merge was left half done', () => {
  it('no file has the marks of a conflict', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: folder !== '.', encoding: 'utf8' })
        .filter((file) => TEXT.test(file) && !file.includes('node_modules'))
        .map((file) => join(projectRoot, folder, file)),
    ).filter((file) => statSync(file).isFile());
    expect(files.length).to.be.above(1000);
    expect(files.filter((file) => MARK.test(readFileSync(file, 'utf8')))).to.deep.equal([]);
  });
});
