import { expect } from 'chai';
import { connect, type Database } from '../../libs/db/connect.ts';
import { createLookup } from '../../libs/db/lookup.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

type Note = { text: string; length: number };

describe('shared reads by key', () => {
  let database: TestDatabase;
  let db: Database;
  let statements: number;

  beforeEach(async () => {
    database = await createDatabase();
    db = connect({ url: database.url, poolSize: 4, name: 'test-lookup' });
    await db.raw('CREATE TABLE notes (text text PRIMARY KEY, length integer)');
    await db.raw("INSERT INTO notes VALUES ('one', 3), ('three', 5), ('zero', 0)");
    statements = 0;
    db.on('query', () => (statements += 1));
  });

  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  const find = createLookup<{ text: string }, Note>(
    { text: 'text' },
    'SELECT text, length FROM notes WHERE text = key.text',
  );
  const findSlowly = createLookup<{ seconds: number }, Pick<Note, 'length'>>(
    { seconds: 'float' },
    "SELECT length FROM notes, pg_sleep(key.seconds) WHERE text = 'one'",
  );

  it('reads give each caller the row of its own key, and none where there is none', async () => {
    const found = await Promise.all(['three', 'missing', 'one', 'three'].map((text) => find(db, { text })));
    expect(found).to.deep.equal([
      { text: 'three', length: 5 },
      undefined,
      { text: 'one', length: 3 },
      { text: 'three', length: 5 },
    ]);
  });

  it('reads go at once where nobody else reads, and sixteen together where one is under way', async () => {
    const lengths = await Promise.all(Array.from({ length: 20 }, () => find(db, { text: 'one' })));
    expect(lengths.map((note) => note?.length)).to.deep.equal(Array.from({ length: 20 }, () => 3));
    expect(statements).to.equal(3);
  });

  it('reads never get what was read before they were asked for', async () => {
    const early = findSlowly(db, { seconds: 0.3 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await db.raw("UPDATE notes SET length = 4 WHERE text = 'one'");
    const late = findSlowly(db, { seconds: 0 });
    expect([await early, await late]).to.deep.equal([{ length: 3 }, { length: 4 }]);
  });

  it('reads are not held up by a statement that takes long', async () => {
    const answered: string[] = [];
    const slow = findSlowly(db, { seconds: 1.5 }).then(() => answered.push('slow'));
    const quick = [1, 2].map(() => findSlowly(db, { seconds: 0 }).then(() => answered.push('quick')));
    await Promise.all([slow, ...quick]);
    expect(answered).to.deep.equal(['quick', 'quick', 'slow']);
  });

  it('reads find the others where one asks for half a character', async () => {
    const found = await Promise.all(['one', '\ud83d', 'three'].map((text) => find(db, { text })));
    expect(found.map((note) => note?.length)).to.deep.equal([3, undefined, 5]);
  });

  it('reads all fail with the statement that they share, and later ones are answered', async () => {
    const divide = createLookup<{ text: string }, { result: number }>(
      { text: 'text' },
      'SELECT 15 / length AS result FROM notes WHERE text = key.text',
    );
    const texts = ['three', 'zero', 'three', 'one'];
    const outcomes = await Promise.allSettled(texts.map((text) => divide(db, { text })));
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
    expect(await divide(db, { text: 'one' })).to.deep.equal({ result: 5 });
  });
});
