import { expect } from 'chai';
import { openVercelScene, vercelSettings, type VercelScene } from '../../support/vercel-worker.ts';
import { expectOk } from './support.ts';

const KEYS = Array.from({ length: 40 }, (_, index) => `key${index}`);

// Vercel takes 120 calls a minute, and a push needs some of them.
describe('a look at many variables of a project at Vercel', () => {
  let scene: VercelScene;

  const open = async (sensitive: boolean): Promise<void> => {
    const settings = {
      ...vercelSettings('production'),
      secret_name_template: '{{ .SecretKey | uppercase }}',
      granularity: 'secret-key',
      sensitive,
    };
    expect((await scene.driver.configure(settings)).status).to.equal(200);
    await scene.driver.write('many', Object.fromEntries(KEYS.map((key) => [key, 'ours'])));
  };
  const link = async (): Promise<void> => {
    await scene.driver.associate('many');
    await scene.driver.settles('many', 'SYNCED');
  };
  const post = async (what: string, more: object = {}) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, more));
  const body = { mount: 'secret', secret_name: 'many' };
  const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
    scene.fake.clearCalls();
    await work();
    return scene.fake.calls().length;
  };
  const change = (name: string): void => {
    const row = scene.fake.entries().find((one) => one.name === name);
    scene.fake.change(String(row?.id), { value: 'theirs' });
  };

  beforeEach(async () => {
    scene = await openVercelScene();
  });
  afterEach(() => scene.close());

  it('a preview of new links lists the variables once', async () => {
    await open(true);
    scene.fake.plant({ name: 'KEY7', value: 'theirs', target: ['production'] });
    let totals = {};
    const calls = await callsOf(async () => {
      ({ totals } = await post('plan', { secrets: [body], look: true }));
    });
    expect(totals).to.deep.equal({ create: 39, conflict: 1 });
    expect(calls).to.be.at.most(2);
  });

  it('a preview of settings and a verification of sensitive variables list them once', async () => {
    await open(true);
    await link();
    const destination = { deployment_environments: ['production', 'preview'] };
    expect(await callsOf(() => post('plan', { destination, look: true }))).to.be.at.most(3);
    expect(await callsOf(() => post('associations/verify', body))).to.equal(1);
  });

  it('variables whose values Vercel shows are read one by one, and compared', async () => {
    await open(false);
    await link();
    change('KEY7');
    const { entries } = await post('associations/verify', body);
    const drifted = entries.filter(({ state }: { state: string }) => state === 'drifted');
    expect(drifted.map((one: { external_name: string }) => one.external_name)).to.deep.equal(['KEY7']);
  });

  it('a list that Vercel refuses leaves all unknown, with one call', async () => {
    await open(true);
    await link();
    scene.fake.addFault({ kind: 'error', status: 500 });
    let entries: { state: string }[] = [];
    const calls = await callsOf(async () => {
      ({ entries } = await post('associations/verify', body));
    });
    expect(new Set(entries.map(({ state }) => state))).to.deep.equal(new Set(['unknown']));
    expect(calls).to.equal(1);
    scene.fake.clearFaults();
  });
});
