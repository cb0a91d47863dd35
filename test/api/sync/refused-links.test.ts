import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

describe('the plan of links that are refused', () => {
  let scene: Cloud1Scene;
  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    const perKey = { granularity: 'secret-key', secret_name_template: '{{ .SecretKey }}' };
    expectOk(await scene.driver.patch(perKey));
    await scene.driver.write('first', { shared: '1' });
    await scene.driver.associate('first');
    await scene.driver.settles('first', 'SYNCED');
    await scene.driver.write('both', { shared: '2', extra: '2' });
    await scene.driver.write('later', { extra: '3' });
  });
  after(() => scene.close());

  const secrets = ['both', 'later'].map((secret_name) => ({ mount: 'secret', secret_name }));
  const post = async (what: string, body: object) =>
    expectOk(await scene.sealift.client.post(`${scene.driver.path}/${what}`, body));

  it('one name in use leaves out the other entries of its secret, as linking does', async () => {
    const plan = await post('plan', { secrets, look: true });
    expect(plan.totals).to.deep.equal({ taken: 1, left_out: 1, create: 1 });
    type Planned = { secret_name: string; planned: { external_name: string; action: string }[] };
    const actions = plan.secrets.flatMap((secret: Planned) =>
      secret.planned.map((step) => [secret.secret_name, step.external_name, step.action]),
    );
    expect(actions).to.deep.equal([
      ['both', 'extra', 'left_out'],
      ['both', 'shared', 'taken'],
      ['later', 'extra', 'create'],
    ]);
    const { totals } = await post('associations/set-many', { secrets });
    expect(totals).to.deep.equal({ linked: 1, refused: 1 });
    await scene.driver.settles('later', 'SYNCED');
    expect(scene.fake.entries().map(({ name, value }) => [name, value])).to.have.deep.members([
      ['shared', '1'],
      ['extra', '3'],
    ]);
  });

  it('a link that exists keeps its other entries when one of its names is in use', async () => {
    await scene.driver.write('later', { extra: '3', shared: '3', own: '3' });
    const plan = await post('plan', { secrets: [secrets[1]], look: true });
    expect(plan.totals).to.include({ taken: 1 }).and.not.to.have.property('left_out');
    await eventually(() => expect(scene.fake.entries().map(({ name }) => name)).to.include('own'));
  });
});
