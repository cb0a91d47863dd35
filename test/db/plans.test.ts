import { expect } from 'chai';
import pg from 'pg';
import type { TSchema } from 'typebox';
import { documentedRows, type DocumentedRow } from '../../services/api/openapi/rows.ts';
import { exampleTables } from '../../services/api/openapi/examples/index.ts';
import { fillPath } from '../../services/api/openapi/paths.ts';
import { jobs } from '../../services/key-maintenance/schedule.ts';
import { carryOut, startExampleService, tables } from '../api/openapi/support.ts';
import { runNow, startMaintenance } from '../key-maintenance/support.ts';
import { eventually } from '../support/eventually.ts';
import type { Sealift } from '../support/sealift.ts';
import { capture, type Captured } from './plans/capture.ts';
import { costOf } from './plans/explain.ts';
import { KNOWN, SOMETIMES } from './plans/known.ts';
import { BIG, DESTINATIONS, MANY, seed } from './plans/seed.ts';

// More than a page, or a batch of a job, may need. A list names all destinations, and a job may look at each once.
const mostRows = (step: string): number => (/ on destinations/.test(step) ? 2 * DESTINATIONS : 3000);

const PARAMS: Record<string, string> = {
  mount: 'secret',
  path: 'many/020000',
  secret: 'secret/many/020000',
  id: 'polver-absent',
  kind: 'workspaces',
  usageId: 'ws-1',
  ...BIG,
};

const MERGE = { 'content-type': 'application/merge-patch+json' };

const reads = documentedRows(tables).filter(({ method }) => ['GET', 'LIST'].includes(method));

// `ROWS=1000000` holds them with as many.
describe(`statements with ${MANY} rows`, function () {
  this.timeout(300_000 + MANY);
  let sealift: Sealift;
  let client: pg.Client;
  let captured: Captured[];

  before(async () => {
    sealift = await startExampleService();
    // Without the limits of a session of the service.
    client = new pg.Client({ connectionString: sealift.environment['DATABASE_URL'] });
    await client.connect();
    await seed(client);
    const services = await startMaintenance(sealift);
    captured = await capture(async () => {
      for (const row of reads) await readAll(row);
      const kept = new Map<string, string>();
      for (const example of exampleTables.flat()) await carryOut(sealift, example, kept);
      // The last job makes everything due.
      await sealift.client.patch('/v1/sys/sync/config', { disabled: true }, { headers: MERGE });
      // An example may have asked for the same job a moment ago.
      for (const { name } of jobs) await eventually(() => runNow(services, name), { limitMs: 200_000 });
    });
    // As a minute later: what has just become due is looked at row by row, a thousand of each destination at most.
    await client.query(`UPDATE associations SET due_at = due_at - interval '1 minute' WHERE due_at <= now()`);
    await eventually(() => runNow(services, 'keep-counts'), { limitMs: 200_000 });
  });

  after(async () => {
    await client.end();
    await sealift.stop();
  });

  it('no statement of the API, the workers or the jobs reads more than a batch of a large table', async () => {
    const found: string[] = [];
    const used = new Set<string>();
    for (const statement of captured) {
      const { rows, step } = await costOf(client, statement);
      if (rows <= mostRows(step)) continue;
      const line = `${rows} rows by ${step}: ${statement.text.replaceAll(/\s+/g, ' ')}`;
      const known = Object.keys({ ...KNOWN, ...SOMETIMES }).find((part) => line.includes(part));
      if (known === undefined) found.push(line);
      else used.add(known);
    }
    expect(found, found.join('\n\n')).to.deep.equal([]);
    expect([...used], 'the table of known statements').to.include.members(Object.keys(KNOWN));
    expect(captured.length).to.be.greaterThan(200);
  });

  // Once as it is, once with each query parameter.
  async function readAll(row: DocumentedRow): Promise<void> {
    const path = fillPath(row.path, row.path.startsWith('/~kv1') ? { ...PARAMS, mount: 'plain' } : PARAMS);
    const prefix = row.dialect === 'admin' ? '' : '/v1';
    for (const query of ['', ...queriesOf(row.query)])
      await sealift.client.call(row.method, `${prefix}${path}${query}`);
  }
});

type Described = { const?: string; anyOf?: { const?: string }[] };

function queriesOf(schema: TSchema | undefined): string[] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, Described> };
  return Object.entries(properties).flatMap(([name, { const: only, anyOf = [] }]) => {
    const choices = [only, ...anyOf.map((one) => one.const)].filter((value) => value !== undefined);
    return [...choices, 'many/05', '1', 'true'].map(
      (value) => `?${new URLSearchParams({ [name]: value }).toString()}`,
    );
  });
}
