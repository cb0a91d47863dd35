import { expect } from 'chai';
import type { FormFields } from '../../../libs/telling/field-names.ts';
import { toldText } from '../../../libs/telling/sentence.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { cloud1Settings } from '../../support/sandboxed.ts';
import { eventually } from '../../support/eventually.ts';
import { entriesWith, named, type Entry } from './support.ts';

describe('what the sentences of the audit trail say', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift({ environment: { TRUST_PROXY: '1' } });
  });
  after(() => sealift.stop());

  const textOf = (entry: Entry, forms?: FormFields): string => toldText(entry, (_, name) => name, forms);
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const sentencesOf = async (address: string): Promise<string[]> => {
    const { body } = await sealift.client.get('/v1/sys/schemas');
    return (await entriesWith(sealift, { address })).map((entry) => textOf(entry, body.data));
  };

  it('a request with an unknown token is told by what it tried, and names nothing unknown', async () => {
    const stranger = { token: 'slt.zzz', ...from('192.0.2.1') };
    const paths = ['auth/jwt/config', 'secret/data/a', 'sys/teams/x', 'nowhere/at/all', 'sys/sync/pause'];
    for (const path of paths) await sealift.client.post(`/v1/${path}`, {}, stranger);
    expect(await sentencesOf('192.0.2.1')).to.have.members([
      'Tried to write auth/… (the token is unknown)',
      'Tried to write secret/… (the token is unknown)',
      'Tried to write a team (the token is unknown)',
      'Tried to write something (the token is unknown)',
      'Tried to pause syncing (the token is unknown)',
    ]);
  });

  it('a new role and a new team are told as made, without the fields that a form sends empty', async () => {
    const { client } = sealift;
    await client.post('/v1/sys/auth/approle', { type: 'approle' });
    await client.post('/v1/sys/policies/acl/ci-read', { path: {} });
    const options = from('192.0.2.2');
    const role = { token_policies: ['ci-read'], secret_id_num_uses: 0, token_bound_cidrs: [] };
    const write = async (path: string, body: object): Promise<void> => {
      expect((await client.post(`/v1/${path}`, body, options)).status, path).to.equal(204);
    };
    await write('auth/approle/role/web', role);
    await write('auth/approle/role/web', { ...role, secret_id_num_uses: 3 });
    await write('sys/teams/dev', { policies: ['ci-read'] });
    expect(await sentencesOf('192.0.2.2')).to.have.members([
      'Created the AppRole role web (policies ci-read)',
      'Changed the AppRole role web (changed: Uses of a secret ID)',
      'Created the team dev (policies ci-read)',
    ]);
  });

  it('a changed field is called as in its form, where it has the same name in several forms too', async () => {
    const options = from('192.0.2.4');
    const { client } = sealift;
    const store = 'sys/sync/destinations/cloud1-sm/prod';
    await client.post(`/v1/${store}`, cloud1Settings(), options);
    await client.patch(`/v1/${store}`, { secret_access_key: 'another', role_arn: '' }, options);
    const hook = { channel: 'webhook', secret: 'a-signing-secret-of-32-characters' };
    for (const host of ['a', 'b'])
      await client.post('/v1/sys/alerts/ops', { ...hook, url: `https://${host}.example/x` }, options);
    expect(await sentencesOf('192.0.2.4')).to.have.members([
      'Created the destination prod',
      'Changed the destination prod (changed: Secret access key)',
      'Created the alert rule ops',
      'Changed the alert rule ops (changed: Webhook URL)',
    ]);
  });

  it('a sync of what is not linked is told as a refused sync, and names its only secret', async () => {
    const { client } = sealift;
    const path = '/v1/sys/sync/destinations/cloud1-sm/prod/associations';
    const secrets = ['app/in', 'app/out'].map((name) => ({ mount: 'secret', secret_name: name }));
    for (const { secret_name: name } of secrets)
      await client.post(`/v1/secret/data/${name}`, { data: { user: 'app' } });
    await client.post(`${path}/set`, secrets[0]);
    const setMany = async (list: object[], id: string): Promise<void> => {
      const body = { secrets: list, only_linked: true };
      expect((await client.post(`${path}/set-many`, body, named(id))).status, id).to.equal(200);
    };
    await setMany(secrets.slice(0, 1), 'many-in');
    await setMany(secrets.slice(1), 'many-out');
    await setMany(secrets, 'many-both');
    await client.post(`${path}/remove-many`, { secrets: secrets.slice(0, 1) }, named('many-end'));

    const refusal = 'the secret is not associated with this destination';
    const tell = async (id: string): Promise<string[]> => {
      const entries = await entriesWith(sealift, { 'request-id': id });
      return entries.map((entry) => `${entry.outcome}: ${textOf(entry)}`);
    };
    expect(await tell('many-in')).to.deep.equal(['succeeded: Asked to sync secret/app/in in prod']);
    const out = `refused: Tried to sync secret/app/out in prod (${refusal})`;
    expect(await tell('many-out')).to.deep.equal([out]);
    expect(await tell('many-both')).to.have.members([
      'succeeded: Asked to sync 1 secret in prod (1 refused)',
      'succeeded: Asked to sync secret/app/in in prod',
      out,
    ]);
    expect(await tell('many-end')).to.deep.equal(['succeeded: Asked to unlink secret/app/in from prod']);
    const both = (await entriesWith(sealift, { 'request-id': 'many-both' })).find(({ secret }) => !secret);
    expect(both?.detail?.['secrets']).to.deep.equal({
      refreshed: ['secret/app/in'],
      refused: ['secret/app/out'],
    });
    const story = await client.get('/v1/sys/story/secret/app/in');
    const kinds = story.body.data.story.map(({ kind }: { kind: string }) => kind);
    expect(kinds).to.have.members(['unlink', 'link', 'link', 'link', 'version', 'change']);
  });

  it('the filter for refusals finds a request of which only a part was refused', async () => {
    const { client } = sealift;
    const idsOf = (entries: { [name: string]: unknown }[], name: string) =>
      [...new Set(entries.map((entry) => entry[name]))].filter((id) => String(id).startsWith('many-'));
    const refused = await entriesWith(sealift, { secret: 'secret/app/out', outcome: 'refused' });
    expect(idsOf(refused, 'request-id')).to.deep.equal(['many-both', 'many-out']);
    const action = 'POST /sys/sync/destinations/:type/:name/associations/set-many';
    const calls = await entriesWith(sealift, { action, outcome: 'refused' });
    expect(idsOf(calls, 'request-id')).to.deep.equal(['many-both', 'many-out']);
    await eventually(async () => {
      const path = '/v1/sys/sync/destinations/cloud1-sm/prod/history?outcome=refused';
      const lines: { action: string; detail: object }[] = (await client.get(path)).body.data.history;
      expect(lines.filter((line) => line.action === 'link').map(({ detail }) => detail)).to.deep.equal([
        {
          only_linked: true,
          refreshed: 1,
          refused: 1,
          secrets: { refreshed: ['secret/app/in'], refused: ['secret/app/out'] },
        },
        {
          only_linked: true,
          refused: 1,
          secret: 'secret/app/out',
          refusal: 'the secret is not associated with this destination',
        },
      ]);
      return true;
    });
  });

  it('syncing that was stopped by its setting is told as paused', async () => {
    for (const disabled of [true, false])
      await sealift.client.patch('/v1/sys/sync/config', { disabled }, from('192.0.2.3'));
    expect(await sentencesOf('192.0.2.3')).to.have.members(['Paused syncing', 'Resumed syncing']);
  });
});
