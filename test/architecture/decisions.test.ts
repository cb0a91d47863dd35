import { expect } from 'chai';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './sources.ts';

const folder = join(projectRoot, 'docs/adr');
const index = readFileSync(join(folder, 'README.md'), 'utf8');
const pages = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** One A4 page. */
const MOST_LINES = 60;

function headings(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '');
}

describe('the architecture decisions', () => {
  it('the pages are numbered from 1 on without a hole, in the name of the file and in its title', () => {
    expect(pages).to.have.length.at.least(10);
    expect(pages.map(({ name }) => name.slice(0, 5))).to.deep.equal(
      pages.map((_, position) => `${String(position + 1).padStart(4, '0')}-`),
    );
    for (const [position, { name, text }] of pages.entries())
      expect(text, name).to.match(new RegExp(`^# ${position + 1}\\. `));
  });

  for (const { name, text } of pages) {
    it(`the page ${name} has the same four sections as all others, and fits on a page`, () => {
      expect(headings(text)).to.deep.equal(['Context', 'Decision', 'Consequences', 'Rejected']);
      for (const section of text.split(/^## .+$/m)) expect(section.trim()).to.not.equal('');
      expect(text.split('\n').length).to.be.at.most(MOST_LINES);
    });
  }

  it('the index has all pages, each with its title, and names no other', () => {
    const rows = [...index.matchAll(/^\| \[(\d+)\]\((\S+)\)\s*\| (.+?)\s*\|$/gm)].map(
      ([, number, file, title]) => `${file}: # ${number}. ${title}`,
    );
    expect(rows).to.deep.equal(pages.map(({ name, text }) => `${name}: ${text.split('\n')[0]}`));
  });

  it('the pages name only files that exist', () => {
    const missing = [{ name: 'README.md', text: index }, ...pages].flatMap(({ name, text }) => {
      const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => join(folder, link ?? ''));
      const paths = [...text.matchAll(/`((?:libs|services|test)\/[\w./-]+)/g)].map(([, path]) =>
        join(projectRoot, path ?? ''),
      );
      return [...links, ...paths].filter((path) => !existsSync(path)).map((path) => `${name}: ${path}`);
    });
    expect(missing).to.deep.equal([]);
  });
});
