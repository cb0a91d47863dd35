import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openVercelScene, vercelSettings, type VercelScene } from '../../support/vercel-worker.ts';
import { expectOk } from './support.ts';

const BOTH = '{{ .SecretBaseName }}_{{ .SecretKey }}';
const KEY_ALONE = { secret_name_template: '{{ .SecretKey }}' };

type Secret = { secret_name: string; planned: { external_name: string; action: string; reason: string }[] };

describe('a plan of a template that gives several links one name', () => {
  let fake: VercelScene['fake'];
  let sealift: VercelScene['sealift'];
  let driver: VercelScene['driver'];
  let close: VercelScene['close'];

  beforeEach(async () => {
    ({ fake, sealift, driver, close } = await openVercelScene());
  });
  afterEach(() => close());

  const configure = async (template: string): Promise<void> => {
    const keyed = { granularity: 'secret-key', secret_name_template: template };
    expectOk(await driver.configure({ ...vercelSettings('production'), ...keyed }));
  };
  const link = async (name: string, data: Record<string, string>): Promise<void> => {
    await driver.write(name, data);
    expectOk(await driver.associate(name));
    await driver.settles(name, 'SYNCED');
  };
  const plan = async (destination: object, more: object = {}): Promise<Secret[]> =>
    expectOk(await sealift.client.post(`${driver.path}/plan`, { look: true, destination, ...more })).secrets;
  const actionsIn = (secrets: Secret[]) =>
    Object.fromEntries(
      secrets.map(({ secret_name: name, planned }) => [
        name,
        Object.fromEntries(planned.map((step) => [step.external_name, step.action])),
      ]),
    );
  const failing = async (): Promise<string[]> => {
    const records = await driver.records();
    expect(records.every(({ sync_status: status }) => /SYNCED|CLIENT_SIDE_ERROR/.test(status))).to.equal(
      true,
    );
    const codes = records.filter(({ cause }) => cause?.code === 'name_collision');
    return [...new Set(codes.map(({ secret_name: name }) => name))].toSorted();
  };

  const orders = [
    { order: ['v/c', 'v/d', 'v/a'], tokens: ['v/c', 'v/a'] },
    { order: ['v/b', 'v/a', 'v/d', 'v/c'], tokens: ['v/a', 'v/b', 'v/d'] },
  ];
  for (const { order, tokens } of orders)
    it(`the link made first gets the name, as the plan says, of ${order.join(', ')}`, async () => {
      await configure(BOTH);
      for (const name of order)
        await link(name, tokens.includes(name) ? { TOKEN: name } : { [`OF_${name.slice(2)}`]: name });
      const [winner = '', ...losers] = order.filter((name) => tokens.includes(name));
      const actions = actionsIn(await plan(KEY_ALONE));
      expect(actions[winner]).to.deep.equal({ TOKEN: 'rename' });
      for (const name of losers)
        expect(actions[name], name).to.deep.equal({ TOKEN: 'taken', [`${name.slice(2)}_TOKEN`]: 'retain' });
      expectOk(await driver.patch(KEY_ALONE));
      await eventually(async () => {
        expect(await failing()).to.deep.equal(losers.toSorted());
        return true;
      });
      const names = fake.entries().map(({ name }) => name);
      expect(names).to.include.members(['TOKEN', ...losers.map((name) => `${name.slice(2)}_TOKEN`)]);
      expect(fake.entries().find(({ name }) => name === 'TOKEN')?.value).to.equal(winner);
    });

  it('a plan of one link knows the link made before it that wants the same name', async () => {
    await configure(BOTH);
    for (const name of ['v/c', 'v/a']) await link(name, { TOKEN: name });
    const secrets = [{ mount: 'secret', secret_name: 'v/a' }];
    expect(actionsIn(await plan(KEY_ALONE, { secrets }))['v/a']).to.include({ TOKEN: 'taken' });
  });

  it('a linked secret gets a name before one that is not linked yet', async () => {
    await configure(BOTH);
    await driver.write('v/a', { TOKEN: 'new' });
    await link('v/c', { TOKEN: 'first' });
    const secrets = ['v/a', 'v/c'].map((name) => ({ mount: 'secret', secret_name: name }));
    const actions = actionsIn(await plan(KEY_ALONE, { secrets }));
    expect(actions).to.deep.equal({ 'v/a': { TOKEN: 'taken' }, 'v/c': { TOKEN: 'rename' } });
  });

  for (const order of [
    ['v/k', 'v/q'],
    ['v/q', 'v/k'],
  ])
    it(`a name that a link gives up goes to the link that wants it, made as ${order.join(', ')}`, async () => {
      await configure(BOTH);
      for (const name of order) await link(name, { [name === 'v/k' ? 'Z' : 'k']: name });
      const change = { secret_name_template: '{{ .SecretKey }}_Z' };
      const expected = { 'v/k': { Z_Z: 'rename' }, 'v/q': { k_Z: 'rename' } };
      expect(actionsIn(await plan(change))).to.deep.equal(expected);
      const secrets = [{ mount: 'secret', secret_name: 'v/q' }];
      expect(actionsIn(await plan(change, { secrets }))['v/q']).to.deep.equal(expected['v/q']);
      expectOk(await driver.patch(change));
      for (const name of order) await driver.settles(name, 'SYNCED');
      const named = fake.entries().map(({ name, value }) => [name, value]);
      expect(Object.fromEntries(named)).to.deep.equal({ Z_Z: 'v/k', k_Z: 'v/q' });
    });

  it('links that would exchange their names both keep what they have, as the plan says', async () => {
    await configure(BOTH);
    await link('v/x', { y: 'of x' });
    await link('v/y', { x: 'of y' });
    const change = { secret_name_template: '{{ .SecretKey }}_{{ .SecretBaseName }}' };
    const actions = actionsIn(await plan(change));
    expect(actions['v/x']).to.deep.equal({ y_x: 'taken', x_y: 'retain' });
    expect(actions['v/y']).to.deep.equal({ x_y: 'taken', y_x: 'retain' });
    expectOk(await driver.patch(change));
    await eventually(async () => {
      expect(await failing()).to.deep.equal(['v/x', 'v/y']);
      return true;
    });
    expect(fake.entries().map(({ name }) => name)).to.have.members(['x_y', 'y_x']);
  });
});
