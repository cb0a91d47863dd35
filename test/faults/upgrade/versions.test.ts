import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findFormerRevision } from './versions.ts';

describe('the version that an upgrade begins with', () => {
  let clone: string;

  const git = (...words: string[]): string =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=x', '-c', 'user.email=x@localhost', ...words], {
      encoding: 'utf8',
    }).trim();

  /** Commits this file. Returns the revision. */
  const commit = (path: string): string => {
    writeFileSync(join(clone, path), path);
    git('add', '--all');
    git('commit', '--quiet', '--message', path);
    return git('rev-parse', 'HEAD');
  };

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'sealift-versions-'));
    git('init', '--quiet');
    mkdirSync(join(clone, 'libs/db/migrations'), { recursive: true });
    commit('libs/db/migrations/001-first.ts');
  });

  afterEach(() => rmSync(clone, { recursive: true, force: true }));

  it('an upgrade without any release begins with the recorded revision', async () => {
    const recorded = commit('later.ts');
    commit('latest.ts');
    expect(await findFormerRevision(undefined, { clone, recorded })).to.equal(recorded);
  });

  it('an upgrade begins with the newest release before this one', async () => {
    git('tag', 'v0.9.0');
    commit('candidate.ts');
    git('tag', 'v0.10.0-rc.1');
    const newest = commit('libs/db/migrations/002-second.ts');
    git('tag', 'v0.10.0');
    commit('latest.ts');
    git('tag', 'v0.11.0');
    expect(await findFormerRevision(undefined, { clone })).to.equal(newest);
  });

  it('an upgrade begins with the revision that is asked for, and refuses an unknown one', async () => {
    git('tag', 'v0.9.0');
    const wanted = commit('later.ts');
    commit('latest.ts');
    expect(await findFormerRevision('HEAD^', { clone })).to.equal(wanted);
    const error = await findFormerRevision('v7', { clone }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain('v7 is no revision of this clone').and.to.contain('FROM=');
  });
});
