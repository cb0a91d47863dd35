import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';

describe('a decision about one conflict', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    for (const name of ['app/one', 'app/other']) {
      scene.fake.plant({ name, value: 'of somebody else', tags: { owner: 'team-x' } });
      await scene.driver.write(name, { a: '1' });
      await scene.driver.associate(name);
      await scene.driver.settles(name, 'CLIENT_SIDE_ERROR');
    }
  });
  afterEach(() => scene.close());

  const valueOf = (name: string) => scene.fake.entries().find((entry) => entry.name === name)?.value;
  const ref = { mount: 'secret', secret_name: 'app/one' };
  const decide = async (conflict_policy: string): Promise<void> => {
    const answer = await scene.sealift.client.post(`${DESTINATION}/associations/set`, {
      ...ref,
      conflict_policy,
    });
    expect(answer.status, answer.text).to.equal(200);
  };

  it('overwriting one entry leaves every other conflict as it is', async () => {
    await decide('overwrite');
    await scene.driver.settles('app/one', 'SYNCED');
    expect(valueOf('app/one')).to.equal('{"a":"1"}');
    await scene.sealift.client.post(`${DESTINATION}/associations/retry`, {});
    await scene.driver.settles('app/other', 'CLIENT_SIDE_ERROR');
    expect(valueOf('app/other')).to.equal('of somebody else');
  });

  it('a decision ends with its push: an entry that is foreign later is a conflict again', async () => {
    await decide('adopt');
    await scene.driver.settles('app/one', 'SYNCED');
    await eventually(async () => {
      const row = await scene.sealift.context
        .db('associations')
        .where({ secret_path: 'app/one' })
        .first('trigger');
      return row.trigger.decision === undefined;
    });
    await scene.sealift.client.post(`${DESTINATION}/associations/remove`, ref);
    await eventually(() => valueOf('app/one') === undefined);
    scene.fake.plant({ name: 'app/one', value: 'made by somebody since' });
    await scene.driver.associate('app/one');
    await scene.driver.settles('app/one', 'CLIENT_SIDE_ERROR');
    expect(valueOf('app/one')).to.equal('made by somebody since');
  });

  it('a decision outlasts a new value that is saved before it is carried out', async () => {
    await scene.sealift.client.post(`${DESTINATION}/pause`, {});
    await decide('overwrite');
    await scene.driver.write('app/one', { a: '2' });
    await scene.sealift.client.post(`${DESTINATION}/resume`, {});
    await scene.driver.settles('app/one', 'SYNCED');
    expect(valueOf('app/one')).to.equal('{"a":"2"}');
  });

  const lastAction = async (): Promise<string> => {
    const query = 'mount=secret&secret_name=app/one&limit=1';
    const answer = await scene.sealift.client.get(`${DESTINATION}/associations/history?${query}`);
    return answer.body.data.history[0].action;
  };

  for (const again of ['set', 'retry'])
    it(`a decision that the store could not carry out outlasts a further ${again}`, async () => {
      scene.fake.addFault({ kind: 'error', status: 503 });
      await decide('overwrite');
      await scene.driver.settles('app/one', 'EXTERNAL_SERVICE_ERROR');
      expect(await lastAction()).to.equal('overwrite');
      const body = again === 'set' ? ref : { q: 'app/one' };
      await scene.sealift.client.post(`${DESTINATION}/associations/${again}`, body);
      scene.fake.clearFaults();
      // What the store may still carry out is confirmed only later.
      await eventually(() => valueOf('app/one') === '{"a":"1"}');
      expect(valueOf('app/other')).to.equal('of somebody else');
    });

  for (const { policy, value, action } of [
    { policy: 'adopt', value: 'of somebody else', action: 'replace' },
    { policy: 'adopt', value: '{"a":"1"}', action: 'adopt' },
    { policy: 'overwrite', value: 'of somebody else', action: 'overwrite' },
  ])
    it(`the history says "${action}" after ${policy} of an entry with the value ${value}`, async () => {
      scene.fake.plant({ name: 'app/one', value });
      await decide(policy);
      await scene.driver.settles('app/one', 'SYNCED');
      expect(await lastAction()).to.equal(action);
      expect(valueOf('app/one')).to.equal('{"a":"1"}');
    });

  it('a plan of one secret tells by fingerprints whether the values differ, and shows none', async () => {
    const plan = async (body: object) => {
      const answer = await scene.sealift.client.post(`${DESTINATION}/plan`, { ...body, look: true });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.text).to.not.include('of somebody else');
      return answer.body.data.secrets[0].planned[0];
    };
    const step = await plan({ secrets: [ref] });
    expect(step.action).to.equal('conflict');
    expect(step.fingerprints.ours).to.match(/^[0-9a-f]{12}$/);
    expect(step.fingerprints.found)
      .to.match(/^[0-9a-f]{12}$/)
      .and.not.equal(step.fingerprints.ours);
    expect(Date.parse(step.found.created_at)).to.be.closeTo(Date.now(), 60_000);
    expect(Date.parse(step.found.changed_at)).to.be.at.least(Date.parse(step.found.created_at));
    expect(step.found.tags).to.deep.equal({ owner: 'team-x' });
    expect((await plan({ secrets: [ref], conflict_policy: 'overwrite' })).action).to.equal('overwrite');
    const replacing = await plan({ secrets: [ref], conflict_policy: 'adopt' });
    expect(replacing.action).to.equal('overwrite');
    expect(replacing.reason).to.match(/its value differs and is replaced$/);
    scene.fake.plant({ name: 'app/one', value: '{"a":"1"}' });
    const same = await plan({ secrets: [ref], conflict_policy: 'adopt' });
    expect(same.action).to.equal('adopt');
    expect(same.fingerprints.found).to.equal(same.fingerprints.ours);
    const both = await plan({ secrets: [ref, { ...ref, secret_name: 'app/other' }] });
    expect(both.fingerprints).to.equal(undefined);
  });
});
