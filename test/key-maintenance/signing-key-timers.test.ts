import { expect } from 'chai';
import { auditChanges } from '../../services/key-maintenance/audited-changes.ts';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { rotateKey, trimKeys } from '../../services/key-maintenance/keys.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { daysFromNow, runDue, runNow, startMaintenance } from './support.ts';

describe('the timers of the signing key', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  beforeEach(async () => {
    sealift = await startSealift();
    services = await startMaintenance(sealift);
  });
  afterEach(() => sealift.stop());

  // The two actions of the API, at a shifted time.
  const byHand = (now: Date) => ({
    services,
    now,
    change: auditChanges(services.db, { name: 'test', at: now }).change,
    onlyIfDue: false,
  });
  const rotate = (day: number) => rotateKey(byHand(daysFromNow(day)));
  const trim = (day: number) => trimKeys(byHand(daysFromNow(day)));
  const runJobs = async (day: number) => ({
    rotated: (await runNow(services, 'rotate-signing-key', { now: daysFromNow(day) }))['rotated'],
    trimmed: (await runNow(services, 'trim-signing-keys', { now: daysFromNow(day) }))['trimmed'],
  });
  const countKeys = async () => (await services.db('oidc_keys')).length;

  it('the first run makes the first key, the next within 90 days does nothing', async () => {
    expect(await runJobs(0)).to.deep.equal({ rotated: 1, trimmed: 0 });
    expect(await runJobs(89.9)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await countKeys()).to.equal(1);
  });

  it('rotation comes 90 days after the last one, trim 30 days after that', async () => {
    await runJobs(0);
    expect(await runJobs(90.1)).to.deep.equal({ rotated: 1, trimmed: 0 });
    expect(await runJobs(120)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await countKeys()).to.equal(2);
    expect(await runJobs(120.2)).to.deep.equal({ rotated: 0, trimmed: 1 });
    expect(await countKeys()).to.equal(1);
    expect(await runJobs(180.2)).to.deep.equal({ rotated: 1, trimmed: 0 });
  });

  it('a rotation by hand starts the 90 days anew', async () => {
    await runJobs(0);
    await rotate(50);
    expect(await runJobs(91)).to.include({ rotated: 0 });
    expect(await runJobs(140.1)).to.include({ rotated: 1 });
  });

  it('a rotation by hand does not put off a trim that is coming', async () => {
    await runJobs(0);
    await runJobs(90.1);
    await rotate(110);
    expect(await runJobs(119)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await runJobs(120.2)).to.deep.equal({ rotated: 0, trimmed: 2 });
    expect(await countKeys()).to.equal(1);
  });

  it('an old key that a rotation by hand supersedes is trimmed after 30 days as well', async () => {
    await runJobs(0);
    await rotate(10);
    expect(await runJobs(39.9)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await runJobs(40.1)).to.deep.equal({ rotated: 0, trimmed: 1 });
  });

  it('a trim by hand starts the 30 days anew with the next rotation and leaves the 90 days alone', async () => {
    await runJobs(0);
    await rotate(10);
    expect(await trim(20)).to.have.length(1);
    await rotate(25);
    expect(await runJobs(40.1)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await runJobs(55.1)).to.deep.equal({ rotated: 0, trimmed: 1 });
    expect(await trim(60)).to.deep.equal([]);
    expect(await runJobs(114.9)).to.include({ rotated: 0 });
    expect(await runJobs(115.1)).to.include({ rotated: 1 });
  });

  it('times told by a clock that was put back since count from then on, not from when they come', async () => {
    await runJobs(1000);
    await rotate(1001);
    expect(await runJobs(1)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await runJobs(30.9)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await runJobs(31.1)).to.deep.equal({ rotated: 0, trimmed: 1 });
    expect(await runJobs(90.9)).to.deep.equal({ rotated: 0, trimmed: 0 });
    expect(await runJobs(91.1)).to.deep.equal({ rotated: 1, trimmed: 0 });
  });

  it('several workers rotate once when the time has come', async () => {
    await runJobs(0);
    const others = [await startMaintenance(sealift), await startMaintenance(sealift)];
    const now = daysFromNow(91);
    const runs = await Promise.all(
      [services, ...others].map((one) => runDue(one, 'rotate-signing-key', now)),
    );
    expect(runs.filter((run) => run?.['rotated'] === 1)).to.have.length(1);
    expect(await countKeys()).to.equal(2);
  });

  it('a rotation leaves an audit entry of the service, one that was not due leaves none', async () => {
    await runJobs(0);
    await runJobs(1);
    const entries = await services.db('audit_events').where({ action: 'job rotate-signing-key' });
    expect(entries).to.have.length(1);
    expect(entries[0]).to.include({ actor: 'key-maintenance', accessor: null, outcome: 'succeeded' });
    expect(entries[0].detail).to.include({ rotated: 1 });
  });
});
