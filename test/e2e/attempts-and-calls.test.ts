import { expect } from 'chai';
import type { AttemptAnswer } from '../../services/api/contract/associations.ts';
import type { StoryLineAnswer } from '../../services/api/contract/story.ts';
import { startRepoHostFake, type RepoHostFake } from '../sandbox/github-secrets/fake.ts';
import { githubWorker } from '../support/github-worker.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

describe('the attempts that a history tells of', () => {
  let fake: RepoHostFake;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startRepoHostFake();
    sealift = await startSealift({ environment: { SWEEP_INTERVAL: '100' } });
    await sealift.start('worker', githubWorker(fake));
    driver = createSyncDriver(sealift, 'repo-host', 'web');
    await driver.configure({
      access_token: 'ghp_valid',
      repository_owner: 'acme',
      repository_name: 'web',
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretKey }}',
    });
    await driver.write('app', { user: 'app', password: 'old' });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
  });
  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const history = async (): Promise<AttemptAnswer[]> => {
    const query = 'mount=secret&secret_name=app';
    const answer = await sealift.client.get(`${driver.path}/associations/history?${query}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.history;
  };

  // What the history tells of a change while the store refuses the token, oldest first.
  const refused = async (change: () => Promise<unknown>): Promise<AttemptAnswer[]> => {
    const before = (await history()).length;
    fake.clearCalls();
    fake.addFault({ kind: 'revoked' });
    await change();
    await driver.settles('app', 'CLIENT_SIDE_ERROR');
    const lines = (await history()).slice(0, -before).toReversed();
    expect(lines, JSON.stringify(lines)).to.have.length(fake.calls().length);
    return lines;
  };
  const texts = (lines: AttemptAnswer[]): string[] =>
    lines.map(({ action, sub_key: key }) => `${action} ${key}`.trim());

  it('keys that are replaced while the token is refused have one attempt for the one call', async () => {
    const lines = await refused(() => driver.write('app', { key: 'new' }));
    expect(texts(lines)).to.deep.equal(['create key']);
    const { story } = (await sealift.client.get('/v1/sys/story/secret/app')).body.data;
    const pushes = (story as StoryLineAnswer[]).flatMap((line) => (line.kind === 'push' ? [line] : []));
    expect(pushes.filter(({ cause }) => cause).map(({ action }) => action)).to.deep.equal(['create']);
    const records = await driver.records('app');
    expect(records.map(({ cause }) => cause?.code)).to.deep.equal(records.map(() => 'credentials_refused'));
  });

  it('a secret of more keys than go out at once has no attempt for a key without a call', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => [`key${index}`, 'new']);
    const lines = await refused(() => driver.write('app', Object.fromEntries(keys)));
    expect(lines.length).to.be.within(1, 8);
  });

  it('new credentials that are refused are one attempt to reach the store', async () => {
    const lines = await refused(() => driver.patch({ access_token: 'ghp_other' }));
    expect(texts(lines)).to.deep.equal(['reach']);
    expect(lines[0]).to.deep.include({ external_name: null, version: 1 });
  });

  it('a retry that is refused only looked at each entry', async () => {
    const lines = await refused(() => sealift.client.post(`${driver.path}/associations/retry`, {}));
    expect(texts(lines).toSorted()).to.deep.equal(['look password', 'look user']);
  });
});
