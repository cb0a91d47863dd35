import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

type Shown = { external_name: string; secret_name_template: string | null };
type Step = { external_name: string; action: string };

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';

describe('a name of its own for one link', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    scene.fake.plant({ name: 'app/one', value: 'of somebody else' });
    for (const name of ['app/one', 'app/other']) {
      await scene.driver.write(name, { a: '1' });
      await scene.driver.associate(name);
    }
    await scene.driver.settles('app/one', 'CLIENT_SIDE_ERROR');
    await scene.driver.settles('app/other', 'SYNCED');
  });
  afterEach(() => scene.close());

  const ref = { mount: 'secret', secret_name: 'app/one' };
  const valueOf = (name: string) => scene.fake.entries().find((entry) => entry.name === name)?.value;
  const rename = (secret_name_template: string, secret = ref) =>
    scene.sealift.client.post(`${DESTINATION}/associations/set`, { ...secret, secret_name_template });
  const renamed = async (to: string): Promise<void> => {
    const answer = await rename(to);
    expect(answer.status, answer.text).to.equal(200);
  };

  it('another name ends a conflict, and the entry of the other stays as it is', async () => {
    await renamed('theirs/{{ .SecretPath }}');
    await scene.driver.settles('app/one', 'SYNCED');
    expect(valueOf('theirs/app/one')).to.equal('{"a":"1"}');
    expect(valueOf('app/one')).to.equal('of somebody else');
    const list = await scene.sealift.client.get(`${DESTINATION}/associations`);
    const records: Shown[] = Object.values(list.body.data.associated_secrets);
    expect(records.map((record) => [record.external_name, record.secret_name_template])).to.deep.equal([
      ['theirs/app/one', 'theirs/{{ .SecretPath }}'],
      ['app/other', null],
    ]);
  });

  it('the name outlives later versions and retries, and an empty one gives it up', async () => {
    await renamed('mine');
    await scene.driver.settles('app/one', 'SYNCED');
    await scene.driver.write('app/one', { a: '2' });
    await eventually(() => valueOf('mine') === '{"a":"2"}');
    await scene.driver.associate('app/one');
    await scene.driver.settles('app/one', 'SYNCED');
    expect(valueOf('mine')).to.equal('{"a":"2"}');
    await renamed('');
    await scene.driver.settles('app/one', 'CLIENT_SIDE_ERROR');
    expect(valueOf('app/one')).to.equal('of somebody else');
  });

  it('an entry that was written is deleted after the new one, as a plan says before', async () => {
    const other = { ...ref, secret_name: 'app/other' };
    const plan = await scene.sealift.client.post(`${DESTINATION}/plan`, {
      secrets: [{ ...other, secret_name_template: 'moved' }],
    });
    expect(plan.body.data.secrets[0].planned).to.deep.equal([
      { sub_key: '', external_name: 'moved', action: 'rename', former_name: 'app/other', reason: null },
    ]);
    expect(plan.body.data.totals).to.deep.equal({ rename: 1 });
    expect((await rename('moved', other)).status).to.equal(200);
    await eventually(() => valueOf('moved') === '{"a":"1"}' && valueOf('app/other') === undefined);
    const later = await scene.sealift.client.post(`${DESTINATION}/associations/plan`, other);
    expect(later.body.data.planned.map((step: Step) => [step.external_name, step.action])).to.deep.equal([
      ['moved', 'unchanged'],
    ]);
  });

  it('a preview of another template gives a link that has its own name that name', async () => {
    await renamed('mine');
    const preview = await scene.sealift.client.post(`${DESTINATION}/preview`, {
      secret_name_template: 'new/{{ .SecretPath }}',
      secrets: [ref, { ...ref, secret_name: 'app/other' }],
    });
    expect(
      preview.body.data.names.map((one: Shown) => [one.external_name, one.secret_name_template]),
    ).to.deep.equal([
      ['mine', 'mine'],
      ['new/app/other', null],
    ]);
  });

  it('a name that another link has, or that could not work, is refused, and nothing changes', async () => {
    const taken = await rename('app/other');
    expect(taken.status, taken.text).to.equal(409);
    expect(taken.text).to.include('is used by the secret app/other');
    for (const template of ['{{ .Nothing }}', '{{ .SecretKey }}', 'x'.repeat(600)])
      expect((await rename(template)).status).to.equal(400);
    const list = await scene.sealift.client.get(`${DESTINATION}/associations`);
    const records: Shown[] = Object.values(list.body.data.associated_secrets);
    expect(records.map((record) => record.secret_name_template)).to.deep.equal([null, null]);
    await scene.driver.settles('app/one', 'CLIENT_SIDE_ERROR');
  });

  it('a name without the key is refused as soon as each key gets an entry, and no key is written', async () => {
    await renamed('mine');
    await scene.driver.settles('app/one', 'SYNCED');
    const changed = await scene.sealift.client.patch(DESTINATION, {
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}/{{ .SecretKey }}',
    });
    expect(changed.status, changed.text).to.equal(200);
    await scene.driver.settles('app/one', 'CLIENT_SIDE_ERROR');
    expect(valueOf('mine')).to.not.equal('1');
    await renamed('mine/{{ .SecretKey }}');
    await eventually(() => valueOf('mine/a') === '1');
  });

  it('unlinking forgets the name, so the same secret linked later gets that of the destination', async () => {
    await renamed('mine');
    await scene.driver.settles('app/one', 'SYNCED');
    await scene.sealift.client.post(`${DESTINATION}/associations/remove`, ref);
    await eventually(() => valueOf('mine') === undefined);
    await scene.driver.associate('app/one');
    await scene.driver.settles('app/one', 'CLIENT_SIDE_ERROR');
    expect(valueOf('mine')).to.equal(undefined);
  });
});
