import { expect } from 'chai';
import { validate } from 'node-cron';
import { findJobState } from '../../libs/store/maintenance/jobs.ts';
import type { Job, MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { runDueJob, runJobByHand } from '../../services/key-maintenance/run-job.ts';
import { jobs } from '../../services/key-maintenance/schedule.ts';
import { startScheduler } from '../../services/key-maintenance/scheduler.ts';
import { latestScheduledTime } from '../../services/key-maintenance/scheduled-times.ts';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { daysFromNow, startMaintenance } from './support.ts';

describe('the schedule', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  const { signal } = new AbortController();
  before(async () => {
    sealift = await startSealift();
    services = await startMaintenance(sealift);
  });
  after(() => sealift.stop());

  // A job of this test, which counts its own runs.
  const counting = (name: string, work: () => Promise<void> = async () => undefined) => {
    const job = {
      name,
      cron: '0 12 * * *',
      description: '',
      runs: 0,
      run: async () => {
        job.runs += 1;
        await work();
        return {};
      },
    };
    return job satisfies Job;
  };

  it('the schedule is a table of valid times, and every job in it comes at least daily', () => {
    const now = new Date();
    for (const { name, cron } of jobs.filter((job) => job.cron !== null)) {
      expect(validate(cron ?? ''), name).to.equal(true);
      expect(now.getTime() - latestScheduledTime(cron ?? '', now).getTime(), name).to.be.within(
        0,
        24 * 60 * 60 * 1000,
      );
    }
    expect(new Set(jobs.map((job) => job.name)).size).to.equal(jobs.length);
  });

  it('the latest time of a schedule is in UTC and never in the future', () => {
    expect(latestScheduledTime('23 3 * * *', new Date('2030-01-02T03:22:59Z')).toISOString()).to.equal(
      '2030-01-01T03:23:00.000Z',
    );
    expect(latestScheduledTime('23 3 * * *', new Date('2030-01-02T03:23:00Z')).toISOString()).to.equal(
      '2030-01-02T03:23:00.000Z',
    );
  });

  it('a job runs once for each time of its schedule, however often it is looked at', async () => {
    const job = counting('once');
    const runAt = (time: string) => runDueJob(job, { services, now: new Date(time), signal });
    await runAt('2030-01-01T13:00:00Z');
    expect(job.runs).to.equal(1);
    await runAt('2030-01-01T14:00:00Z');
    await runAt('2030-01-02T11:59:00Z');
    expect(job.runs).to.equal(1);
    await runAt('2030-01-02T12:00:30Z');
    expect(job.runs).to.equal(2);
    // Down for a week: one run makes up for all missed times.
    await runAt('2030-01-09T11:00:00Z');
    await runAt('2030-01-09T11:05:00Z');
    expect(job.runs).to.equal(3);
  });

  it('a job runs although it has run for a time that is yet to come', async () => {
    const job = counting('put-back');
    const runAt = (time: string) => runDueJob(job, { services, now: new Date(time), signal });
    await runAt('2031-01-01T13:00:00Z');
    await runAt('2030-01-01T13:00:00Z');
    expect(job.runs).to.equal(2);
    await runAt('2030-01-01T13:05:00Z');
    expect(job.runs).to.equal(2);
    await runAt('2030-01-02T13:00:00Z');
    expect(job.runs).to.equal(3);
  });

  it('one of several workers runs a due job, and the others neither wait nor repeat it', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const job = counting('shared', () => released);
    const others = [await startMaintenance(sealift), await startMaintenance(sealift)];
    const now = new Date('2030-01-01T13:00:00Z');
    const first = runDueJob(job, { services, now, signal });
    await eventually(() => job.runs === 1);
    for (const other of others) expect(await runDueJob(job, { services: other, now, signal })).to.equal(null);
    release();
    expect(await first).to.deep.equal({ outcome: 'succeeded', summary: {} });
    for (const other of others) expect(await runDueJob(job, { services: other, now, signal })).to.equal(null);
    expect(job.runs).to.equal(1);
  });

  it('a job that failed is tried again for the same time', async () => {
    let broken = true;
    const job = counting('failing', async () => {
      if (broken) throw new Error('out of luck');
    });
    const now = new Date('2030-01-01T13:00:00Z');
    expect(await runDueJob(job, { services, now, signal })).to.deep.include({ outcome: 'failed' });
    expect((await findJobState(services.db, 'failing')).scheduledFor).to.equal(null);
    const [entry] = await services.db('audit_events').where({ action: 'job failing' });
    expect(entry).to.include({ outcome: 'failed', actor: 'key-maintenance' });
    broken = false;
    expect(await runDueJob(job, { services, now, signal })).to.deep.include({ outcome: 'succeeded' });
    expect(await runDueJob(job, { services, now, signal })).to.equal(null);
  });

  it('a job that goes on failing is told once in the audit trail, and once when it works again', async () => {
    let problems = 1;
    const job = { ...counting('ailing'), cron: '* * * * *', run: async () => ({ problems }) };
    const outcomes = async (): Promise<string[]> =>
      services.db('audit_events').where({ action: 'job ailing' }).orderBy('id').pluck('outcome');
    const run = (minute: number) => {
      const now = new Date(Date.now() + minute * 60_000);
      return runDueJob(job, { services, now, signal });
    };
    for (const minute of [1, 2, 3]) expect((await run(minute))?.outcome).to.equal('failed');
    expect(await outcomes()).to.deep.equal(['failed']);
    problems = 0;
    for (const minute of [4, 5]) await run(minute);
    expect(await outcomes()).to.deep.equal(['failed', 'succeeded']);
    problems = 1;
    await run(6);
    expect(await outcomes()).to.deep.equal(['failed', 'succeeded', 'failed']);
  });

  it('a worker that stops ends a long run between two steps, and the rest stays due', async () => {
    const stopping = new AbortController();
    let steps = 0;
    const job: Job & { cron: string } = {
      name: 'long',
      cron: '0 12 * * *',
      description: '',
      run: async ({ change }) => {
        for (; steps < 100; steps += 1) {
          if (steps === 3) stopping.abort();
          await change(async () => 1);
        }
        return {};
      },
    };
    const now = new Date('2030-01-01T13:00:00Z');
    const interrupted = await runDueJob(job, { services, now, signal: stopping.signal });
    expect(interrupted).to.deep.equal({ outcome: 'failed', summary: { interrupted: 1 } });
    expect(steps).to.equal(3);
    expect(await runDueJob(job, { services, now, signal })).to.deep.include({ outcome: 'succeeded' });
    expect(steps).to.equal(100);
  });

  it('a run by hand ignores the schedule, and counts for it', async () => {
    const job = counting('by-hand');
    const now = new Date('2030-01-01T13:00:00Z');
    const options = { services, now, replay: false, report: () => undefined };
    await runJobByHand(job, options);
    await runJobByHand(job, options);
    expect(job.runs).to.equal(2);
    expect(await runDueJob(job, { services, now, signal })).to.equal(null);
  });

  it('jobs are looked at again, whatever the clock of this machine makes of their times', async () => {
    const job = counting('looked-at');
    const scheduler = startScheduler([job], services, { catchUpMs: 50 });
    await eventually(() => job.runs === 1);
    await scheduler.stop();
  });

  it('a worker catches up at its start with what was due while none ran', async () => {
    const { db } = services;
    await db('jobs').insert({ name: 'rotate-signing-key', slot_at: daysFromNow(-100), outcome: 'succeeded' });
    await db('oidc_timers').update({ last_rotated_at: daysFromNow(-95) });
    const workers = await Promise.all(['one', 'two'].map((name) => sealift.start(name, startKeyMaintenance)));
    const names = jobs.filter((job) => job.cron !== null).map((job) => job.name);
    await eventually(async () => {
      const done = await db('jobs').whereIn('name', names).where({ outcome: 'succeeded' });
      return done.length === names.length && (await db('oidc_keys')).length > 0;
    });
    for (const worker of workers) await worker.stop();
    expect(await db('oidc_keys')).to.have.length(1);
    expect(await db('audit_events').where({ action: 'job rotate-signing-key' })).to.have.length(1);
  });
});
