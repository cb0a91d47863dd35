import { expect } from 'chai';
import { readSource, readSources, type Source } from './sources.ts';

const MAKES_DUE = /\$\{trigger(?:Sql)?\(|\bdue_at = now\(\)(?! \+)/;

/** One sentence for each file of the store that makes associations due and does not announce it. */
function findSilent(sources: Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith('libs/store/') && !path.startsWith('libs/store/due/'))
    .filter(({ code }) => MAKES_DUE.test(code) && !/\bannounceDue\(/.test(code))
    .map(({ path }) => `${path} makes associations due: call announceDue in the same transaction`);
}

describe('the rule for due associations', () => {
  it('every file that makes associations due announces them to the workers', () => {
    expect(findSilent(readSources())).to.deep.equal([]);
  });

  for (const text of [
    "await db.raw(`UPDATE associations a SET ${trigger('write')} WHERE a.id = ?`, [id]);",
    'await db.raw(`UPDATE associations SET due_at = now() WHERE id = ?`, [id]);',
  ]) {
    it(`the store is refused ${text}`, () => {
      expect(findSilent([readSource('libs/store/a/a.ts', text)])).to.have.length(1);
      expect(findSilent([readSource('libs/store/a/a.ts', `${text} announceDue(db, rows);`)])).to.deep.equal(
        [],
      );
    });
  }
});
