import { expect } from 'chai';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

describe('the name that a check tries', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
  });
  beforeEach(() => scene.fake.reset());
  after(() => scene.close());

  const check = async (
    secret_name_template: string,
    granularity = 'secret-path',
  ): Promise<(string | null)[]> => {
    const answer = await scene.driver.patch({ secret_name_template, granularity });
    expect(answer.status, answer.text).to.equal(200);
    const { body } = await scene.sealift.client.post(`${scene.driver.path}/check`);
    expect(body.data).to.include({ ok: true, cause: null });
    return scene.fake.calls().map(({ target }) => target);
  };

  it('a check tries a name in the form of the template', async () => {
    const names = await check('team/{{ .MountAccessor }}/{{ .SecretPath }}');
    for (const name of names) expect(name).to.match(/^team\/kv_[0-9a-f]{8}\/sealift-check-[0-9a-f]{32}$/);
  });

  for (const [template, granularity] of [
    ['prod/db', 'secret-path'],
    ['prod/check', 'secret-path'],
    ['prod/{{ .SecretKey }}', 'secret-key'],
    ['{{ .MountPath }}', 'secret-path'],
  ] as const)
    it(`a check tries a name that nobody has where the template is ${template}`, async () => {
      for (const name of ['prod/db', 'prod/check', 'secret', 'check'])
        scene.fake.plant({ name, value: 'theirs', tags: {} });
      const before = JSON.stringify(scene.fake.entries());
      for (const name of await check(template, granularity)) expect(name).to.match(/[0-9a-f]{32}/);
      expect(JSON.stringify(scene.fake.entries())).to.equal(before);
    });
});
