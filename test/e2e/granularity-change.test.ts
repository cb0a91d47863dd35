import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

const BY_KEY = { granularity: 'secret-key', secret_name_template: '{{ .SecretPath }}/{{ .SecretKey }}' };
const WHOLE = { granularity: 'secret-path', secret_name_template: '{{ .SecretPath }}' };

describe('a change of granularity', () => {
  let fake: Cloud1Scene['fake'];
  let sealift: Cloud1Scene['sealift'];
  let driver: Cloud1Scene['driver'];
  let close: Cloud1Scene['close'];

  beforeEach(async () => {
    ({ fake, sealift, driver, close } = await openCloud1Scene({ settings: BY_KEY }));
    await sealift.start('worker', cloud1Worker(fake));
  });

  afterEach(() => close());

  const outside = (): string[] =>
    fake
      .entries()
      .map(({ name }) => name)
      .toSorted();

  it('a change to a granularity that the store cannot hold keeps what is there, and says so', async () => {
    const half = 'x'.repeat(40_000);
    await driver.write('db', { a: half, b: half });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    expect((await driver.patch(WHOLE)).status).to.equal(200);
    await eventually(async () => {
      const codes = (await driver.records('db')).map(({ cause }) => cause?.code ?? '');
      expect(codes.toSorted()).to.deep.equal(['not_replaced', 'not_replaced', 'value_too_large']);
      return true;
    });
    expect(outside()).to.deep.equal(['db/a', 'db/b']);
    await driver.write('db', { a: 'small', b: 'small' });
    await driver.settles('db', 'SYNCED');
    expect(outside()).to.deep.equal(['db']);
  });

  it('a change of granularity writes the new shape before the old one goes', async () => {
    await driver.write('db', { a: '1', b: '2' });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    await driver.patch(WHOLE);
    await eventually(() => expect(outside()).to.deep.equal(['db']));
    await driver.patch(BY_KEY);
    await eventually(() => expect(outside()).to.deep.equal(['db/a', 'db/b']));
    await driver.settles('db', 'SYNCED');
  });
});
