import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf } from './support.ts';

describe('pausing by the command line', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
  });
  after(() => sealift.stop());

  const { run, json } = commandsOf(() => sealift);

  it('`pause` and `resume` hold one destination, or all, with a reason', async () => {
    await json('destination put repo-host/held access_token=x repository_owner=o repository_name=r');
    const resume = 'destination resume repo-host/held';
    expect((await run(resume)).stdout).to.equal('repo-host/held: was not paused\n');
    const pause = 'destination pause repo-host/held --reason moving --until 2099-01-31T08:00:00Z';
    expect((await json(pause)).paused).to.include({ reason: 'moving', until: '2099-01-31T08:00:00.000Z' });
    expect((await run(pause)).stdout).to.equal(
      'repo-host/held: was paused already; its reason and end are replaced\n',
    );
    expect((await run('destination get repo-host/held')).stdout).to.contain('moving');
    await json('kv put secret/app/held password=x');
    await json('association set repo-host/held secret/app/held');
    const watched = await run('status repo-host/held --watch --interval 0.1 --timeout 1');
    expect(watched.stderr).to.contain('not done in time: 1 pending (1 paused)');
    const counted = await run('status');
    expect(counted.stdout).to.match(/repo-host\/held +1 +1 +1 paused\n$/);
    expect(counted.stderr).to.match(
      /no worker runs: .*connector repo-host.*sealift serve connector repo-host/,
    );
    const { history } = await json('destination history repo-host/held');
    expect(history.map(({ action }: { action: string }) => action)).to.include('pause');
    const [needless] = history.filter(({ action }: { action: string }) => action === 'resume');
    expect(needless.detail).to.deep.equal({ change: 'none' });
    expect((await run('association remove repo-host/held secret/app/held')).code).to.equal(0);
    const withdraw = 'association withdraw repo-host/held secret/app/held';
    expect((await run(withdraw)).stdout).to.contain('PENDING');
    expect((await run(withdraw)).stderr).to.contain('nothing can be withdrawn');
    expect((await run('association remove repo-host/held secret/app/held')).code).to.equal(0);
    expect((await run(resume)).stdout).to.equal('repo-host/held: resumed\n');
    expect(await json('destination get repo-host/held')).to.not.have.property('paused');
    expect((await run('resume')).stdout).to.equal('syncing was not paused\n');
    expect((await run('pause --reason audit')).stdout).to.equal('syncing is paused\n');
    expect((await run('pause --reason audit')).stdout).to.equal(
      'syncing was paused already; its reason and end are replaced\n',
    );
    const until = await json('pause --until 2099-01-31T09:00:00+01:00');
    expect(until.paused).to.include({ until: '2099-01-31T08:00:00.000Z' });
    for (const wrong of ['yesterday', '2020-01-31T08:00:00Z']) {
      const refused = await run(`pause --until ${wrong}`);
      expect(refused.code).to.not.equal(0);
      expect(refused.stderr).to.contain('until');
    }
    expect(await json('resume')).to.include({ disabled: false, paused: null, was_paused: true });
    const wrong = await run('destination pause repo-host/held --until tomorrow');
    expect(wrong.code).to.not.equal(0);
    expect(wrong.stderr).to.contain('until');
    expect((await run('destination delete repo-host/held --force')).code).to.equal(0);
  });
});
