import { expect } from 'chai';
import type { RecordAnswer } from '../../../services/api/contract/associations.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { expectOk } from './support.ts';

const THEIRS = 'of somebody else';

const byAna = (kind: string) => ({ kind, by: 'token-ana', spares_changes: false });

describe('a decision that stands while attempts fail', () => {
  let scene: Cloud1Scene;
  let ana: string;

  beforeEach(async () => {
    scene = await openCloud1Scene();
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'ana' });
    ana = made.body.auth.client_token;
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('taken', { user: 'app' });
    scene.fake.plant({ name: 'taken', value: THEIRS });
    await scene.driver.associate('taken');
    await scene.driver.settles('taken', 'CLIENT_SIDE_ERROR');
  });

  afterEach(() => scene.close());

  const body = { mount: 'secret', secret_name: 'taken' };
  const post = (what: string, more: object = body, token?: string) =>
    scene.sealift.client.post(`${scene.driver.path}/${what}`, more, token === undefined ? {} : { token });
  const value = () => scene.fake.entries()[0]?.value;
  const record = async (): Promise<RecordAnswer> => {
    const [found] = await scene.driver.records('taken');
    if (!found) throw new Error('it is not linked');
    return found;
  };
  const decide = (kind: 'overwrite' | 'adopt', token?: string) =>
    post('associations/set', { ...body, conflict_policy: kind }, token);
  const fails = () =>
    eventually(async () => {
      const found = await record();
      expect(found.cause?.code).to.equal('store_failed');
      expect(found.sync_status).to.equal('EXTERNAL_SERVICE_ERROR');
      return found;
    });
  // However slow the test is, its next try is not due.
  const postpone = () => scene.sealift.context.db('associations').update({ due_at: '2999-01-01T00:00:00Z' });
  const heal = async (): Promise<void> => {
    scene.fake.clearFaults();
    await scene.sealift.context.db('associations').update({ due_at: new Date() });
  };

  it('a link tells who decided what, whoever saves or retries since, until it is carried out', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    for (const kind of ['adopt', 'overwrite'] as const) {
      await decide(kind, ana);
      expect((await fails()).decision).to.deep.equal(byAna(kind));
    }
    const { problems } = expectOk(await scene.sealift.client.get('/v1/sys/sync/summary'));
    expect(
      problems.map(({ cause, standing }: { cause: { code: string }; standing: number }) => [
        cause.code,
        standing,
      ]),
    ).to.deep.equal([['store_failed', 1]]);
    const decision = byAna('overwrite');
    await scene.driver.write('taken', { user: 'next' });
    expect((await fails()).decision).to.deep.equal(decision);
    for (const [what, more] of [
      ['associations/retry', {}],
      ['associations/set', body],
    ] as const) {
      expectOk(await post(what, more));
      expect((await fails()).decision, what).to.deep.equal(decision);
    }
    const { client } = scene.sealift;
    const { rows } = expectOk(await client.get(`${scene.driver.path}/associations/rows`));
    expect(rows[0].decision).to.deep.equal(decision);
    const { associated_destinations: found } = expectOk(
      await client.get('/v1/sys/sync/associations/destinations?mount=secret&secret_name=taken'),
    );
    expect(found['cloud1-sm/prod'].decision).to.deep.equal(decision);
    await heal();
    // That it has its value is confirmed only later: a call that failed may still take effect.
    await eventually(async () => expect(await record()).to.not.have.property('decision'));
    expect(value()).to.equal('{"user":"next"}');
  });

  it('a plan of other settings says which decisions these end', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await decide('overwrite');
    await fails();
    const destination = { custom_tags: { team: 'red' } };
    const planned = async (more: object) => {
      const { secrets } = expectOk(await post('plan', more));
      return secrets[0];
    };
    expect(await planned({ destination })).to.include({ ends_decision: 'overwrite' });
    expect(await planned({})).not.to.have.property('ends_decision');
    expectOk(await scene.driver.patch(destination));
    await heal();
    await scene.driver.settles('taken', 'CLIENT_SIDE_ERROR');
    expect(value()).to.equal(THEIRS);
    expect(await planned({ destination: { custom_tags: {} } })).not.to.have.property('ends_decision');
  });

  it('the plan of one link tells that syncing it carries out a decision that has failed', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await decide('overwrite');
    await fails();
    await postpone();
    scene.fake.clearFaults();
    const { planned } = expectOk(await post('associations/plan', { ...body, look: true }));
    expect(planned[0].action).to.equal('overwrite');
    expectOk(await post('associations/set'));
    await eventually(() => expect(value()).to.equal('{"user":"app"}'));
  });

  it('a plan of another name does not carry over what was decided about the present one', async () => {
    scene.fake.plant({ name: 'taken-too', value: THEIRS });
    scene.fake.addFault({ kind: 'error', status: 503, target: 'taken' });
    await decide('overwrite');
    await fails();
    const rename = async () => {
      const secrets = [{ ...body, secret_name_template: 'taken-too' }];
      const plan = expectOk(await post('plan', { secrets, look: true, only_seen: true }));
      return plan.secrets[0];
    };
    const known = await rename();
    expect(known).to.include({ ends_decision: 'overwrite' });
    expect(known.planned[0]).to.include({ external_name: 'taken-too', action: 'conflict' });
    scene.fake.addFault({ kind: 'error', status: 503 });
    const { reason } = (await rename()).planned[0];
    expect(reason).to.match(/^if an entry of someone else has this name, it is left alone/);
    await postpone();
    expectOk(await post('associations/set', { ...body, secret_name_template: 'taken-too' }));
    await heal();
    await eventually(async () => expect((await record()).cause?.code).to.equal('conflict'));
    expect(await record())
      .to.include({ external_name: 'taken-too' })
      .and.not.have.property('decision');
    expect(scene.fake.entries().map((entry) => entry.value)).to.deep.equal([THEIRS, THEIRS]);
  });

  it('a decision outlasts settings that leave its entry and what is written there as they are', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await decide('overwrite', ana);
    await fails();
    const destination = { deletion_policy: 'retain', drift_check: true, owner_check_seconds: 60 };
    const { secrets } = expectOk(await post('plan', { destination, look: false }));
    expect(secrets[0]).not.to.have.property('ends_decision');
    expectOk(await scene.driver.patch(destination));
    expect((await fails()).decision).to.deep.equal(byAna('overwrite'));
    scene.fake.clearFaults();
    const plan = expectOk(await post('plan', { destination: { drift_check: false }, look: true }));
    expect(plan.secrets[0].planned[0].action).to.equal('overwrite');
    expectOk(await scene.driver.patch({ drift_check: false }));
    await eventually(() => expect(value()).to.equal('{"user":"app"}'));
    await eventually(async () => expect(await record()).to.not.have.property('decision'));
  });

  it('a decision that was withdrawn leaves the entry of somebody else as it is', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await decide('overwrite');
    await fails();
    await postpone();
    const { decision, updated_at: _before, ...before } = await fails();
    expect(decision).to.deep.equal({ kind: 'overwrite', by: 'root', spares_changes: false });
    expectOk(await post('associations/withdraw'));
    const { updated_at: _after, ...after } = await record();
    expect(after).to.deep.equal(before);
    expect((await post('associations/withdraw')).status).to.equal(409);
    await heal();
    await eventually(async () => expect((await record()).cause?.code).to.equal('conflict'));
    expect(value()).to.equal(THEIRS);
  });

  it('a new version that is saved after the decision is tried also once that is withdrawn', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await decide('adopt');
    await fails();
    await scene.driver.write('taken', { user: 'next' });
    await eventually(async () => {
      await fails();
      return expectOk(await post('associations/withdraw'));
    });
    await heal();
    await eventually(async () => expect((await record()).cause?.code).to.equal('conflict'));
    expect((await record()).source_version).to.equal(2);
    expect(value()).to.equal(THEIRS);
  });

  it('a change in the store stays once the overwriting of it is withdrawn', async () => {
    const own = { mount: 'secret', secret_name: 'own' };
    await scene.driver.write('own', { user: 'app' });
    await scene.driver.associate('own');
    await scene.driver.settles('own', 'SYNCED');
    const known = scene.fake.entries().find(({ name }) => name === 'own');
    scene.fake.plant({ ...known, name: 'own', value: THEIRS });
    expectOk(await post('associations/verify', own));
    await scene.driver.settles('own', 'DRIFTED');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await post('associations/set', { ...own, conflict_policy: 'overwrite', only_seen: true });
    await scene.driver.settles('own', 'EXTERNAL_SERVICE_ERROR');
    await eventually(async () => expectOk(await post('associations/withdraw', own, ana)));
    await heal();
    await scene.driver.settles('own', 'DRIFTED');
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=own`;
    const { history } = expectOk(await scene.sealift.client.get(path));
    expect(history[0]).to.deep.include({
      action: 'changed',
      trigger: { cause: 'withdraw', by: 'token-ana' },
    });
    expect(scene.fake.entries().find(({ name }) => name === 'own')?.value).to.equal(THEIRS);
  });

  it('a decision about one value leaves another one that has come since, also after an outage', async () => {
    const seen = async (): Promise<string> => {
      const { secrets } = expectOk(await post('plan', { secrets: [body], look: true }));
      return secrets[0].planned[0].fingerprints.found;
    };
    const change = (to: string): void => {
      const [known] = scene.fake.entries();
      scene.fake.plant({ ...known, name: 'taken', value: to });
    };
    const overwrite = async (print: string) =>
      post('associations/set', { ...body, conflict_policy: 'overwrite', expected: { taken: print } });
    const isLeft = () =>
      eventually(async () => {
        const { cause, decision } = await record();
        expect(cause?.message).to.match(/^Someone changed this entry after it was decided about/);
        return decision === undefined;
      });
    const first = await seen();
    change('changed since');
    expectOk(await overwrite(first));
    await isLeft();
    const second = await seen();
    scene.fake.addFault({ kind: 'error', status: 503 });
    expectOk(await overwrite(second));
    expect((await fails()).decision).to.deep.equal({ kind: 'overwrite', by: 'root', spares_changes: true });
    change('changed once more');
    await scene.driver.write('taken', { user: 'next' });
    await fails();
    await heal();
    await isLeft();
    expect(value()).to.equal('changed once more');
    expectOk(await overwrite(await seen()));
    await eventually(() => expect(value()).to.equal('{"user":"next"}'));
  });

  it('the values that were expected come only with a decision about them', async () => {
    const answer = await post('associations/set', { ...body, expected: { taken: 'a'.repeat(12) } });
    expect(answer.status).to.equal(400);
    expect(answer.body.errors[0]).to.include('expected needs conflict_policy');
  });

  it('a plan says where a change may be lost that the store did not show', async () => {
    const own = { mount: 'secret', secret_name: 'own' };
    await scene.driver.write('own', { user: 'app' });
    await scene.driver.associate('own');
    await scene.driver.settles('own', 'SYNCED');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.driver.write('own', { user: 'next' });
    const { secrets } = expectOk(await post('plan', { secrets: [own], look: true, only_seen: true }));
    expect(secrets[0].planned[0]).to.include({ action: 'update', may_lose: true });
  });

  it('no decision is withdrawn while a worker has the link', async () => {
    scene.fake.addFault({ kind: 'hang', times: 1 });
    await decide('overwrite');
    await eventually(async () => expect((await record()).sync_status).to.equal('SYNCING'));
    const { status, body: refusal } = await post('associations/withdraw');
    expect(status).to.equal(409);
    expect(refusal.errors[0]).to.include('while a worker is at it');
    scene.fake.clearFaults();
    await eventually(() => expect(value()).to.equal('{"user":"app"}'));
  });

  it('a decision that has failed before a pause can be withdrawn during it', async () => {
    scene.fake.addFault({ kind: 'error', status: 503 });
    await decide('overwrite', ana);
    await fails();
    await post('pause', {});
    await eventually(async () =>
      expect((await record()).waiting).to.include({
        cause: 'overwrite',
        decision: 'overwrite',
        withdrawable: true,
      }),
    );
    expectOk(await post('associations/withdraw'));
    expect((await record()).waiting).to.deep.include({ cause: 'schedule', decision: null });
    await heal();
    await post('resume', {});
    await eventually(async () => expect((await record()).cause?.code).to.equal('conflict'));
    expect(value()).to.equal(THEIRS);
  });
});
