import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { kindOf } from '../faults/kinds.ts';
import type { FaultyFake, Kind } from '../faults/kinds.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

type Step = { action: string; reason: string | null };
type Settings = Record<string, unknown>;

// Each of these containers has one name only, so the ledger knows every entry of it that a destination manages.
describe('a plan that looks at a store whose settings name the container', () => {
  let kind: Kind;
  let fake: FaultyFake;
  let sealift: Sealift;
  let settings: Settings;

  const open = async (type: string): Promise<void> => {
    kind = kindOf(type);
    fake = await kind.start({});
    const environment = kind.environment(fake, fake.url);
    const loaded = await kind.load();
    sealift = await startSealift({
      environment: { EGRESS_ALLOW: '127.0.0.0/8,localhost' },
      workers: {
        connector: (context) =>
          startConnectorWorker(context, loaded, { environment: (name) => environment[name] }),
      },
    });
    settings = kind.settings(fake, fake.url, 'shop');
  };
  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const first = () => createSyncDriver(sealift, kind.type, 'first');
  const sync = async (): Promise<void> => {
    const made = await first().configure(settings);
    expect(made.status, made.text).to.equal(200);
    await first().write('app', { v: 'one' });
    await first().associate('app');
    await first().settles('app', 'SYNCED');
  };
  const unlink = async (): Promise<void> => {
    await first().patch({ deletion_policy: 'retain' });
    await first().dissociate('app');
    await eventually(async () => (await first().records('app')).length === 0);
  };
  const plan = async (other: Settings): Promise<Step> => {
    const answer = await sealift.client.post(`/v1/sys/sync/destinations/${kind.type}/second/plan`, {
      destination: { ...settings, ...other },
      secrets: [{ mount: 'secret', secret_name: 'app' }],
      look: true,
    });
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.secrets[0].planned[0];
  };
  const isOfFirst = ({ action, reason }: Step): void => {
    expect(action).to.equal('taken');
    expect(reason).to.match(/is used by the secret app of mount secret\/ at \S+\/first/);
  };

  it('an entry of another destination of the same vault has the name', async () => {
    await open('cloud2-kv');
    await sync();
    const { key_vault_uri: uri } = settings as { key_vault_uri: string };
    for (const other of [uri, `${uri}/`, uri.replace('https:', 'HTTPS:')])
      for (const policy of ['refuse', 'overwrite', 'adopt'])
        isOfFirst(await plan({ key_vault_uri: other, conflict_policy: policy }));
    await unlink();
    expect((await plan({})).action).to.equal('update');
  });

  it('an entry of another destination of the same repository has the name', async () => {
    await open('repo-host');
    await sync();
    for (const policy of ['refuse', 'overwrite', 'adopt'])
      isOfFirst(await plan({ repository_owner: 'ACME', repository_name: 'Shop', conflict_policy: policy }));
    expect((await plan({ environment_name: 'production' })).action).to.equal('create');
    expect((await plan({ repository_name: 'other' })).action).to.equal('create');
    await unlink();
    // The store keeps no mark, and the ledger no longer says that it is ours.
    expect(await plan({})).to.deep.include({ action: 'conflict' });
  });
});
