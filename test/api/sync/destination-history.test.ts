import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Settings } from '../../support/sandboxed.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, create, expectOk, expectRefused, noWait, putSecret, set } from './support.ts';

type Line = {
  id: number;
  at: string;
  actor: string;
  address: string | null;
  action: string;
  outcome: string;
  detail: Record<string, unknown> | null;
};

describe('the history of a destination', () => {
  let sealift: Sealift;
  const MERGE = { 'content-type': 'application/merge-patch+json' };

  before(async () => {
    sealift = await startSealift();
    await putSecret(sealift.client, 'app/db');
  });

  after(() => sealift.stop());

  const historyOf = async (name: string, query = ''): Promise<Line[]> =>
    expectOk(await sealift.client.get(`${destinationPath(name)}/history${query}`)).history;

  it('the history of a destination tells everybody who did something, without values', async () => {
    const { client } = sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'ana' });
    const token = made.body.auth.client_token;
    await create(client, destinationPath('prod'), cloud1Settings());
    const change = { custom_tags: { team: 'web' }, secret_access_key: 'a-newer-key' };
    expectOk(await client.patch(destinationPath('prod', 'aws-sm'), change, { token, headers: MERGE }));
    expectOk(await set(client, destinationPath('prod'), 'app/db', { token }));
    await client.post(`${destinationPath('prod')}/associations/plan`, {
      mount: 'secret',
      secret_name: 'app/db',
    });
    expectOk(await client.post(`${destinationPath('prod')}/associations/remove-many`, { all: true }, noWait));
    expectRefused(
      await client.patch(destinationPath('prod'), { region: 'Not A Region' }, { token, headers: MERGE }),
      400,
    );
    // Other destinations whose names begin alike; their events must not appear.
    await create(client, destinationPath('prod-2'), cloud1Settings());
    await create(client, destinationPath('prod', 'repo-host'), {
      access_token: 'x',
      repository_owner: 'a',
      repository_name: 'b',
    });

    // The outcome of a request is stored after its answer.
    await eventually(async () => (await historyOf('prod')).every(({ outcome }) => outcome !== 'attempted'));
    const lines = await historyOf('prod');
    const withoutTime = ({ changed, ...detail }: Record<string, unknown>) =>
      changed ? { ...detail, fields: Object.keys(changed) } : detail;
    expect(
      lines
        .filter(({ action }) => action !== 'replace')
        .map(({ actor, action, outcome, detail }) => [actor, action, outcome, detail && withoutTime(detail)]),
    ).to.deep.equal([
      ['token-ana', 'change', 'refused', null],
      ['root', 'unlink', 'succeeded', { removing: 1, secret: 'secret/app/db' }],
      ['token-ana', 'link', 'succeeded', { secret: 'secret/app/db', link: 'created' }],
      [
        'token-ana',
        'change',
        'succeeded',
        { change: 'updated', fields: ['custom_tags', 'secret_access_key'] },
      ],
    ]);
    expect(lines.at(-1)).to.include({ actor: 'root', action: 'replace', outcome: 'succeeded' });
    expect(lines.at(-1)?.detail).to.include({ change: 'created' });
    expect(JSON.stringify(lines)).to.not.match(/a-newer-key|a-secret-key/);
    const [last] = lines;
    expect(last?.address).to.equal('127.0.0.1');
    expect(await historyOf('prod', `?until=${last?.at}`)).to.deep.equal(lines.slice(1));
    expect(await historyOf('prod', '?since=2100-01-01T00:00:00Z')).to.deep.equal([]);
    expectRefused(await client.get(`${destinationPath('prod')}/history?since=0000-01-01T00:00:00Z`), 400);
    const byAna = lines.filter(({ actor }) => actor === 'token-ana');
    expect(await historyOf('prod', '?who=ANA')).to.deep.equal(byAna);
    expect(await historyOf('prod', '?who=ana&outcome=refused')).to.deep.equal(byAna.slice(0, 1));
    expectRefused(await client.get(`${destinationPath('prod')}/history?outcome=odd`), 400);
    const audit = await client.get('/api/v2/admin/audit-events?page[size]=100');
    expect(audit.text).to.not.match(/a-newer-key|a-secret-key/);
  });

  it('an option is told by its value, and a secret by its fingerprint alone', async () => {
    const { client } = sealift;
    await create(client, destinationPath('told'), cloud1Settings());
    const change = { drift_check: true, conflict_policy: 'adopt', secret_access_key: 'a-newer-key' };
    expectOk(await client.patch(destinationPath('told'), change, { headers: MERGE }));
    await eventually(async () => (await historyOf('told'))[0]?.outcome === 'succeeded');
    const [line] = await historyOf('told');
    const changed = line?.detail?.['changed'] as Record<string, object>;
    expect(changed['drift_check']).to.deep.equal({ old: false, new: true });
    expect(changed['conflict_policy']).to.deep.equal({ old: 'refuse', new: 'adopt' });
    expect(JSON.stringify(changed['secret_access_key'])).to.match(/"new":"fingerprint:/);
  });

  it('older changes are on further pages, and those of another namespace on none', async () => {
    const lines = await historyOf('prod');
    const [first, second] = await historyOf('prod', '?limit=2');
    expect([first?.id, second?.id]).to.deep.equal([lines[0]?.id, lines[1]?.id]);
    const rest = await historyOf('prod', `?before=${second?.id ?? 0}`);
    expect(rest.map(({ id }) => id)).to.deep.equal(lines.slice(2).map(({ id }) => id));
    await sealift.client.post('/v1/sys/namespaces/team');
    const elsewhere = await sealift.client.get(`${destinationPath('prod')}/history`, { namespace: 'team' });
    expect(expectOk(elsewhere).history).to.deep.equal([]);
  });
});
