import { expect } from 'chai';
import { contextReadiness } from '../../libs/service/health.ts';
import { findStaleLedger } from '../../libs/store/maintenance/lost-writes.ts';
import { runCommand } from '../cli/support.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';

const PATIENT = { everyMs: 200 };

describe('a database that is restored under running processes', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift?.stop());

  const write = () => sealift.client.post('/v1/secret/data/x', { data: { value: 'one' } });
  const counted = async (): Promise<number> => {
    const row: { counted: number } | undefined = await sealift.context.db('database_branch').first('counted');
    return row?.counted ?? 0;
  };
  // A restore sets the row back with all others.
  const restore = async (): Promise<void> => {
    const { db } = sealift.context;
    const begin = (await counted()) + 1000;
    await db('database_branch').update({ counted: begin });
    // Only the API counts here, so it has seen what it wrote.
    await eventually(async () => (await counted()) > begin + 1, PATIENT);
    await db('database_branch').update({ counted: begin - 1000 });
  };
  const expectRefused = async (): Promise<void> => {
    const refused = await eventually(async () => {
      const answer = await write();
      expect(answer.status).to.equal(503);
      return answer;
    }, PATIENT);
    expect(refused.text).to.contain('sealift recover lost-writes');
    expect(await contextReadiness(sealift.context, { needsBroker: false })()).to.deep.equal([
      'a failover or a restore of the database lost acknowledged changes: decide with sealift recover lost-writes',
    ]);
    const doctor = await runCommand(['doctor', '--no-egress'], sealift.environment);
    expect(doctor.stdout).to.match(/failed +lost writes/);
  };
  const expectRecovered = async (): Promise<void> => {
    const decision = await runCommand(['recover', 'lost-writes'], sealift.environment);
    expect(decision.code, decision.stderr).to.equal(0);
    await eventually(async () => (await write()).status === 200, PATIENT);
    expect(await findStaleLedger(sealift.context.db)).to.be.a('string');
  };

  it('changes are refused until an operator decides, and then the ledger is invalidated', async () => {
    expect((await write()).status).to.equal(200);
    await restore();
    await expectRefused();
    await expectRecovered();
  });

  it('a second restore is noticed as the first was', async () => {
    await sealift.context.db('database_branch').update({ loss_found_at: new Date(Date.now() - 60_000) });
    await restore();
    await expectRefused();
    await expectRecovered();
  });
});
