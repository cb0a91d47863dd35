import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf } from './support.ts';

describe('alerts by the command line', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift({ workers: { settings: startSettingsWorker } });
  });
  after(() => sealift.stop());

  const { run, json } = commandsOf(() => sealift);

  it('`alert` writes, reads, lists, tests and deletes a rule', async () => {
    expect((await run('alert list')).stdout).to.equal('no rules yet\n');
    const written = await json('alert write on-call addresses=a@example.com,b@example.com minutes=5');
    expect(written).to.include({ name: 'on-call', minutes: 5 });
    const changed = await json(`alert write on-call resolved=false --if-revision ${written.revision}`);
    expect(changed).to.deep.include({ resolved: false, addresses: ['a@example.com', 'b@example.com'] });
    const late = await run(`alert write on-call minutes=6 --if-revision ${written.revision}`);
    expect(late.stderr).to.contain('was changed by');
    expect(await json('alert read on-call')).to.include({ revision: changed.revision });
    expect((await run('alert list')).stdout).to.contain('a@example.com, b@example.com');
    await json('alert write on-call muted_until=2099-01-31T08:00:00Z');
    expect((await run('alert list')).stdout).to.match(/MUTED_UNTIL.* true +2099-01-31T08:00:00/s);
    const tested = await run('alert test on-call');
    expect(tested.code).to.equal(1);
    expect(tested.stdout).to.contain('Not sent: email is not enabled.');
    expect((await run('alert deliveries on-call')).stdout).to.match(
      / alert\.test +- +a@example\.com +failed +1 +- +Not sent: email is not enabled\./,
    );
    expect((await run('alert delete on-call')).stdout).to.equal('on-call: deleted\n');
    for (const verb of ['read', 'test', 'deliveries']) {
      const { code, stderr } = await run(`alert ${verb} on-call`);
      expect([code, stderr], verb).to.deep.equal([3, 'sealift: there is no rule on-call\n']);
    }
    const wrong = await run('alert write on-call addresses=a@example.com quiet_days:=["mon","noday"]');
    expect(wrong.stderr).to.match(/^sealift: quiet_days: item 2 must be one of /);
  });
});
