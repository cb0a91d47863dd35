import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openVercelScene, vercelSettings, type VercelScene } from '../../support/vercel-worker.ts';
import { expectOk } from './support.ts';

const OURS = '{"user":"app"}';
const CHANGED = 'someone changed this entry in the store, and that change would be lost';
const MORE = { deployment_environments: ['production', 'preview'] };
const ADDED = 'its value is added to the environment Preview';

describe('a plan of other settings, of entries that someone changed in the store', () => {
  let scene: VercelScene;

  beforeEach(async () => {
    scene = await openVercelScene();
    const { driver } = scene;
    const open = { ...vercelSettings('production'), sensitive: false };
    expect((await driver.configure(open)).status).to.equal(200);
    await driver.write('one', { user: 'app' });
    await driver.associate('one');
    await driver.settles('one', 'SYNCED');
  });
  afterEach(() => scene.close());

  const post = async (what: string, body: object) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, body));
  const plan = (destination: object) => post('plan', { destination, look: true });
  const stepOf = async (destination: object) => (await plan(destination)).secrets[0].planned[0];
  const save = async (destination: object) =>
    expectOk(await scene.sealift.client.patch(scene.driver.path, destination));
  const row = () => scene.fake.entries()[0];
  const isOurs = () => row()?.value === OURS && JSON.stringify(row()?.target).includes('preview');
  const change = (value: string): void => scene.fake.change(String(row()?.id), { value });

  it('a change that nobody has seen yet is named, and overwritten when the settings are saved', async () => {
    change('theirs');
    expect(await stepOf(MORE)).to.deep.include({ action: 'overwrite', reason: `${CHANGED}; ${ADDED}` });
    const [record] = await scene.driver.records('one');
    expect(record, 'a plan writes nothing').to.deep.include({ sync_status: 'SYNCED', drift: null });
    await save(MORE);
    await eventually(isOurs);
  });

  it('a change that is known is overwritten where the settings need a write, and left elsewhere', async () => {
    change('theirs');
    await post('associations/verify', { mount: 'secret', secret_name: 'one' });
    expect(await stepOf({ conflict_policy: 'adopt' })).to.deep.include({
      action: 'unchanged',
      reason: 'someone changed this entry in the store; it is left as it is',
    });
    expect(await stepOf(MORE)).to.deep.include({ action: 'overwrite', reason: `${CHANGED}; ${ADDED}` });
    change(OURS);
    expect(await stepOf(MORE)).to.deep.include({ action: 'update', reason: ADDED });
    change('theirs');
    await save(MORE);
    await eventually(isOurs);
  });

  it('an entry that someone deleted is created again', async () => {
    scene.fake.drop(String(row()?.id));
    expect(await stepOf(MORE)).to.deep.include({
      action: 'create',
      reason: 'someone deleted this entry in the store',
    });
    await save(MORE);
    await eventually(isOurs);
  });

  it('an entry that someone replaced by one of their own is judged by the conflict policy', async () => {
    scene.fake.drop(String(row()?.id));
    scene.fake.plant({ name: 'ONE', value: 'theirs', target: ['production'] });
    expect(await stepOf(MORE)).to.include({ action: 'conflict' });
    const overwriting = { ...MORE, conflict_policy: 'overwrite' };
    expect(await stepOf(overwriting)).to.include({ action: 'overwrite' });
    await save(MORE);
    await scene.driver.settles('one', 'CLIENT_SIDE_ERROR');
    expect(row()?.value).to.equal('theirs');
  });

  it('an entry whose name changes, or that is deleted, says whose change is lost with it', async () => {
    change('theirs');
    const renamed = await stepOf({ secret_name_template: 'NEW_{{ .SecretPath | uppercase }}' });
    expect(renamed).to.deep.include({ action: 'rename', former_name: 'ONE', reason: CHANGED });
  });

  it('an entry that stays is looked at, and nothing is at stake where the store does not answer', async () => {
    const retaining = {
      secret_name_template: 'NEW_{{ .SecretPath | uppercase }}',
      deletion_policy: 'retain',
    };
    const unlinking = { secrets: [{ mount: 'secret', secret_name: 'one' }], unlink: true, look: true };
    const formerOf = ({ secrets: [{ planned }] }: Awaited<ReturnType<typeof plan>>) =>
      planned.find(({ external_name: name }: { external_name: string }) => name === 'ONE');
    const kept = { action: 'retain', reason: 'deletion_policy is retain' };
    expect(formerOf(await plan(retaining))).to.deep.include(kept);
    scene.fake.addFault({ kind: 'error', status: 503, operation: 'getEnv' });
    const blind = await plan(retaining);
    expect(formerOf(blind)).to.deep.include(kept).and.not.to.have.any.keys('may_lose', 'unchecked');
    expect(blind.look).to.include({ entries: 1, unknown: 0 });
    scene.fake.clearFaults();
    scene.fake.drop(String(row()?.id));
    const gone = { action: 'unchanged', reason: 'someone deleted this entry in the store' };
    expect(formerOf(await plan(retaining))).to.deep.include(gone);
    scene.fake.plant({ name: 'ONE', value: 'theirs', target: ['production'] });
    expect(formerOf(await plan(retaining))).to.deep.include({
      action: 'retain',
      reason: 'this entry is no longer ours, so it stays in the store',
    });
    await scene.driver.patch({ deletion_policy: 'retain' });
    scene.fake.drop(String(row()?.id));
    expect(formerOf(await post('plan', unlinking))).to.deep.include(gone);
  });

  it('environments that someone gave a variable are named, and stay once it is renamed', async () => {
    scene.fake.change(String(row()?.id), { target: ['production', 'preview'] });
    expect(await stepOf(MORE)).to.deep.include({
      action: 'update',
      reason: 'it is written again with these settings',
    });
    const renaming = { secret_name_template: 'NEW_{{ .SecretPath | uppercase }}' };
    expect(await stepOf(renaming)).to.deep.include({
      action: 'rename',
      former_name: 'ONE',
      reason: 'someone added it to the environment Preview, and it stays there',
    });
    await save(renaming);
    const targets = () => scene.fake.entries().map(({ name, target }) => [name, target]);
    await eventually(() => JSON.stringify(targets()).includes('"NEW_ONE",["production"]'));
    await scene.driver.settles('one', 'SYNCED');
    expect(targets()).to.have.deep.members([
      ['ONE', ['preview']],
      ['NEW_ONE', ['production']],
    ]);
  });

  it('a variable that someone gave an environment of none of the settings cannot be written', async () => {
    scene.fake.change(String(row()?.id), { target: ['production', 'development'] });
    const step = await stepOf(MORE);
    expect(step).to.include({ action: 'conflict' });
    expect(step.reason).to.match(/^At Vercel, this variable also has environments outside this destination/);
    await save(MORE);
    await scene.driver.settles('one', 'CLIENT_SIDE_ERROR');
    expect((await scene.driver.records('one'))[0]?.cause?.code).to.equal('blocked');
  });

  it('a plan that does not ask the store tells what other settings write again', async () => {
    const { totals, look } = await post('plan', { destination: MORE });
    expect({ totals, look }).to.deep.equal({ totals: { update: 1 }, look: null });
    expect(scene.fake.callsOf('listEnv').length).to.equal(0);
  });

  it('a store that hangs is asked once, and the plan says what it could not check', async () => {
    await scene.driver.write('two', { user: 'app' });
    await scene.driver.associate('two');
    await scene.driver.settles('two', 'SYNCED');
    scene.fake.addFault({ kind: 'hang' });
    const { totals, look } = await plan({
      ...MORE,
      secret_name_template: 'NEW_{{ .SecretPath | uppercase }}',
    });
    expect(totals).to.deep.equal({ unknown: 2, delete: 2 });
    expect(look).to.include({ entries: 4, unknown: 4 });
    expect(look.cause.code).to.equal('timed_out');
    scene.fake.clearFaults();
  });

  it('a store that does not answer leaves it open whether a change is lost', async () => {
    scene.fake.addFault({ kind: 'error', status: 503, operation: 'getEnv' });
    const { secrets, look } = await plan(MORE);
    const [step] = secrets[0].planned;
    expect(step).to.include({ action: 'unknown', may_lose: true });
    expect(step.reason).to.contain(
      `${ADDED}; if someone changed it, that change is lost; if another entry of this name is there`,
    );
    expect(look.unknown).to.equal(1);
    const renamed = await stepOf({ ...MORE, secret_name_template: 'NEW_{{ .SecretPath | uppercase }}' });
    expect(renamed).to.include({ action: 'rename', may_lose: true });
    expect(renamed.reason).to.contain(`${ADDED}; if someone changed it, that change is lost; the store`);
    scene.fake.clearFaults();
  });
});
