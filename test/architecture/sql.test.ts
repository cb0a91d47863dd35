import { expect } from 'chai';
import { findSqlFaults, findTables } from './sql.ts';
import { readSource, readSources } from './sources.ts';

describe('the home of SQL', () => {
  const sources = readSources();
  const tables = findTables(sources);

  it('SQL is in libs/store and libs/db only', () => {
    expect(tables).to.include.members(['associations', 'secret_versions', 'sessions']);
    expect(findSqlFaults(sources, tables)).to.deep.equal([]);
  });

  const samples = [
    `await db.raw('VACUUM');`,
    `const { rows } = await db.raw<{ rows: Row[] }>(LOCK, [id]);`,
    `query.whereRaw(CONDITION);`,
    `const sql = \`\n  SELECT id FROM mounts\`;`,
    `await request.services.db('associations').where({ id }).first('status');`,
    `const row = await db<Row>('destinations AS d').first();`,
    `void knex.from('entries').del();`,
    `import { prepared } from '../../libs/db/prepared.ts';`,
  ];
  for (const text of samples) {
    it(`a service is refused ${text.replaceAll(/\s+/g, ' ')}`, () => {
      expect(findSqlFaults([readSource('services/api/a.ts', text)], tables)).to.deep.equal([
        'services/api/a.ts has SQL: that belongs in libs/store',
      ]);
      expect(findSqlFaults([readSource('libs/store/a/a.ts', text)], tables)).to.deep.equal([]);
    });
  }

  it('a word that is also the name of a table is no SQL', () => {
    const text = `throw badRequest('secrets is required'); topology.commandQueue('settings'); String.raw\`a\`;`;
    expect(findSqlFaults([readSource('services/api/a.ts', text)], tables)).to.deep.equal([]);
  });
});
