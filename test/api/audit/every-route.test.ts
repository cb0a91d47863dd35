import { expect } from 'chai';
import { exampleTables } from '../../../services/api/openapi/examples/index.ts';
import { eventually } from '../../support/eventually.ts';
import { carryOut, startExampleService, type Kept } from '../openapi/support.ts';
import type { Sealift } from '../../support/sealift.ts';

// Method and path say all of it.
const TOLD_BY_PATH = [
  'DELETE /cubbyhole/*path',
  'POST /cubbyhole/*path',
  'DELETE /auth/session',
  'POST /auth/session',
  'POST /sys/activation-flags/secrets-sync/activate',
  ...['policy-engine-versions', 'opa-versions', 'sentinel-versions'].flatMap((type) =>
    ['DELETE', 'PUT'].map((method) => `${method} /api/v2/admin/${type}/:id/usages/:kind/:usageId`),
  ),
];

// They change nothing, though they are no GET.
const CHANGING_NOTHING = [
  'DELETE /sys/audit/*path',
  'POST /auth/approle/role/:name/secret-id/lookup',
  'POST /auth/approle/role/:name/secret-id-accessor/lookup',
  'POST /auth/kubernetes/config/check',
  'POST /auth/token/lookup',
  'POST /auth/token/lookup-accessor',
  'POST /auth/token/tidy',
  'POST /identity/oidc/token',
  'POST /sys/auth/token/tune',
  'POST /sys/mounts/auth/token/tune',
  'POST /sys/capabilities',
  'POST /sys/capabilities-accessor',
  'POST /sys/capabilities-below',
  'POST /sys/capabilities-self',
  'POST /sys/policies/preview',
  'POST /sys/sync/destinations/:type/:name/check',
  'POST /sys/sync/destinations/:type/:name/plan',
  'POST /sys/sync/destinations/:type/:name/preview',
  'POST /sys/wrapping/lookup',
  'POST /api/v2/admin/saml-settings/actions/check',
  'POST /api/v2/admin/sms-settings/verify',
  'POST /api/v2/admin/twilio-settings/verify',
];

describe('the detail of every route', () => {
  // Some hundred calls.
  let sealift: Sealift;
  before(async () => {
    sealift = await startExampleService();
  });
  after(() => sealift.stop());

  it('every change that the examples make leaves a detail', async () => {
    const kept: Kept = new Map();
    for (const example of exampleTables.flat()) await carryOut(sealift, example, kept);
    // Outcomes are written shortly after the answers.
    await eventually(
      async () => !(await sealift.context.db('audit_events').where({ outcome: 'attempted' }).first()),
    );
    const rows: { action: string }[] = await sealift.context
      .db('audit_events')
      .where({ outcome: 'succeeded' })
      .whereRaw("(detail IS NULL OR detail = '{}')")
      .whereRaw("action ~ '^(POST|PUT|PATCH|DELETE) '")
      .distinct('action');
    const detailed = sealift.context
      .db('audit_events')
      .where({ outcome: 'succeeded' })
      .whereNotNull('detail');
    expect((await detailed.distinct('action')).length).to.be.above(30);
    const silent = new Set([...TOLD_BY_PATH, ...CHANGING_NOTHING]);
    expect(rows.map(({ action }) => action).filter((action) => !silent.has(action))).to.deep.equal([]);
  });
});
