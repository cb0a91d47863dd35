import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf } from './support.ts';

describe('incidents by the command line', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const { run, json } = commandsOf(() => sealift);

  it('`incidents` shows what failed, and how it ended', async () => {
    expect((await run('incidents')).stdout).to.equal('no incidents\n');
    await json('destination put repo-host/held access_token=x repository_owner=o repository_name=r');
    const { db } = sealift.context;
    const destination = await db('destinations').first('id');
    const { id: mountId } = await db('mounts').first('id');
    const secret = { mount_id: mountId, secret_path: 'app/held' };
    await db('sync_history').insert({
      ...secret,
      destination_id: destination.id,
      at: '2026-01-01T01:59:00Z',
      sub_key: '',
      action: 'update',
      source_version: 4,
      outcome: 'SYNCED',
      duration_ms: 1,
      trigger: JSON.stringify({ cause: 'write', by: 'token-ana' }),
    });
    const put = (code: string, ended: string | null, by: string | null) =>
      db('sync_incidents').insert({
        ...secret,
        namespace_id: 'root',
        destination_id: destination.id,
        code,
        cause: JSON.stringify({ class: 'CLIENT_SIDE_ERROR', code, message: 'refused' }),
        opened_at: '2026-01-01T01:00:00Z',
        closed_at: ended && '2026-01-01T02:00:00Z',
        associations: 2,
        most: 2,
        ended,
        ended_by: by,
      });
    await put('conflict', 'person', 'token-ana');
    await put('too_large', null, null);
    const { stdout } = await run('incidents repo-host/held');
    expect(stdout).to.match(/repo-host\/held +conflict +2 +The last of them ended after ana saved v4/);
    expect(stdout).to.match(/open +repo-host\/held +too_large +2 +Still failing/);
    const [note] = await db('notifications')
      .insert({
        id: 'ntf_told',
        kind: 'associations.failing',
        happened_at: '2026-01-01T01:20:00Z',
        data: JSON.stringify({
          destination: { namespace: '', type: 'repo-host', name: 'held' },
          total: 1,
          associations: [{ code: 'conflict' }],
        }),
      })
      .returning('id');
    await sealift.client.post('/v1/sys/alerts/on-call', { addresses: ['on-call@example.com'] });
    const rule = await db('alert_rules').first('id');
    await db('alert_deliveries').insert({
      rule_id: rule.id,
      notification_id: note.id,
      channel: 'email',
      recipient: 'on-call@example.com',
      message_id: 'msg_told',
      queued_at: '2026-01-01T01:20:00Z',
      delivered_at: '2026-01-01T01:21:00Z',
    });
    const lines = (await run('incidents')).stdout.split('\n');
    expect(lines.find((line) => line.includes('conflict'))).to.match(/on-call 2026-01-01T01:21:00/);
    expect(lines.find((line) => line.includes('too_large'))).to.match(/Still failing +-$/);
    expect((await run('alert deliveries on-call')).stdout).to.match(
      /associations\.failing +repo-host\/held: 1 +on-call@example\.com/,
    );
    expect((await sealift.client.delete('/v1/sys/alerts/on-call')).status).to.equal(204);
    expect((await run('incidents')).stdout).to.match(/on-call \(deleted\) 2026-01-01T01:21:00/);
    const { incidents } = await json('incidents --open --cause too_large --since 2026-01-01T05:00:00Z');
    expect(incidents.map(({ cause }: { cause: { code: string } }) => cause.code)).to.deep.equal([
      'too_large',
    ]);
    const first = await run('incidents --limit 1');
    expect(first.stderr).to.match(/there are more: --after [0-9]+/);
    expect((await run('incidents --until yesterday')).code).to.not.equal(0);
  });
});
