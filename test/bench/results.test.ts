import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { measures } from '../../bench/measures/index.ts';
import { readPublished } from '../../bench/support/publish.ts';
import { projectRoot } from '../../deploy/local/root.ts';

const WEEK_MS = 7 * 24 * 3600 * 1000;

describe('the published figures', () => {
  it('each row has a target, or says why it has none', () => {
    for (const { rows } of readPublished()) {
      for (const { measure, target, met } of rows)
        expect(met !== null || /^none: ./.test(target), measure).to.equal(true);
    }
  });

  it('each measure still exists, and tells the commit and the date of its run', () => {
    const names = measures.map(({ name }) => name);
    for (const { name, commit, date } of readPublished()) {
      expect(names).to.include(name);
      expect(commit, name).to.match(/^[0-9a-f]{7,}/);
      expect(Date.parse(date), name).to.be.above(0);
    }
  });

  // An archive has no dates of commits, and a shallow checkout has the last for all files.
  if (askGit('rev-parse', '--is-shallow-repository') === 'false') {
    it('no measure is more than a week older than the code that it measures', () => {
      const folders = new Map(
        measures.map((one) => [one.name, [`bench/measures/${one.name}.ts`, ...one.measures]]),
      );
      for (const { name, date } of readPublished()) {
        const changed = Date.parse(askGit('log', '-1', '--format=%cI', '--', ...(folders.get(name) ?? [])));
        expect(changed - Date.parse(date), `make bench ARGS='--only ${name}'`).to.be.at.most(WEEK_MS);
      }
    });
  } else {
    it('the age of the measured code is unknown without the history of git', () => {
      expect(readPublished()).not.to.have.length(0);
    });
  }

  it('the plot has at most eight bars in two panels, and each says which way is better', () => {
    const plot = readFileSync(join(projectRoot, 'bench/results.svg'), 'utf8');
    expect(plot.match(/<rect /g)?.length).to.be.within(1, 8);
    expect(plot.match(/(?:More|Less) is better/g)).to.deep.equal(['More is better', 'Less is better']);
    expect(plot).to.include('prefers-color-scheme: dark');
  });
});

function askGit(...words: string[]): string {
  try {
    return execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}
