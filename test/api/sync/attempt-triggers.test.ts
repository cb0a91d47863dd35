import { expect } from 'chai';
import type { AttemptAnswer, RecordsAnswer } from '../../../services/api/contract/associations.ts';
import type { StoryLineAnswer } from '../../../services/api/contract/story.ts';
import { eventually } from '../../support/eventually.ts';
import { cloud1Settings, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';

const POLICY = 'path "*" { capabilities = ["create", "read", "update", "patch", "delete", "list", "sudo"] }';
const SECRET = { mount: 'secret', secret_name: 'app/db' };

type Line = Pick<AttemptAnswer, 'action' | 'trigger' | 'version'>;

describe('the triggers of attempts', () => {
  let scene: Cloud1Scene;
  let token: string;
  let seen = 0;

  before(async () => {
    scene = await openCloud1Scene({ environment: { RETRY_MIN: '50' } });
    const { client, start } = scene.sealift;
    await start('worker', cloud1Worker(scene.fake));
    await client.post('/v1/sys/policies/acl/all', { policy: POLICY });
    const made = await client.post('/v1/auth/token/create', { policies: ['all'], display_name: 'ana' });
    token = made.body.auth.client_token;
    await scene.driver.write('app/db', { password: 'one' });
  });
  after(() => scene.close());

  const act = async (path: string, body: object): Promise<void> => {
    const { client } = scene.sealift;
    const answer = await client.post(path, body, { token });
    expect(answer.status, answer.text).to.be.oneOf([200, 204]);
  };

  // The attempts since the last call, the oldest first.
  const attempts = async (least = 1): Promise<Line[]> => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app/db`;
    const lines: Line[] = await eventually(async () => {
      const { body } = await scene.sealift.client.get(path);
      expect(body.data.history.length).to.be.at.least(seen + least);
      return body.data.history;
    });
    const fresh = lines.slice(0, lines.length - seen).toReversed();
    seen = lines.length;
    return fresh;
  };

  const causes = (lines: Line[]): string[] =>
    lines.map(({ trigger }) => [trigger?.cause, trigger?.by].filter(Boolean).join(' '));

  it('an attempt tells what caused it, and who', async () => {
    const { path } = scene.driver;
    const { client } = scene.sealift;
    await act(`${path}/associations/set`, SECRET);
    expect(causes(await attempts())).to.deep.equal(['link token-ana']);
    for (const decision of ['adopt', 'overwrite']) {
      await act(`${path}/associations/set`, { ...SECRET, conflict_policy: decision });
      expect(causes(await attempts())).to.deep.equal([`${decision} token-ana`]);
    }
    await act(`${path}/associations/set`, { ...SECRET, secret_name_template: 'other-name' });
    expect(new Set(causes(await attempts()))).to.deep.equal(new Set(['rename token-ana']));
    await act(`${path}/associations/set`, { ...SECRET, secret_name_template: '' });
    expect(new Set(causes(await attempts()))).to.deep.equal(new Set(['rename token-ana']));
    await act('/v1/secret/data/app/db', { data: { password: 'two' } });
    expect(causes(await attempts())).to.deep.equal(['write token-ana']);
    await act(`${path}/associations/retry`, {});
    expect(causes(await attempts())).to.deep.equal(['retry token-ana']);
    for (const decision of ['overwrite', 'adopt']) {
      await act(`${path}/associations/retry`, { conflict_policy: decision });
      expect(causes(await attempts())).to.deep.equal([`${decision} token-ana`]);
    }
    const type = { 'content-type': 'application/merge-patch+json' };
    await client.patch(path, { custom_tags: { team: 'web' } }, { token, headers: type });
    expect(causes(await attempts())).to.deep.equal(['destination token-ana']);
    await act(`${path}/associations/remove`, SECRET);
    expect(causes(await attempts())).to.deep.equal(['unlink token-ana']);
  });

  it('the story of a secret can be asked for the attempts that one person caused', async () => {
    await act(`${scene.driver.path}/associations/set`, SECRET);
    await attempts();
    const ofWho = async (who: string) =>
      (await scene.sealift.client.get(`/v1/sys/story/secret/app/db?who=${who}`)).body.data
        .story as StoryLineAnswer[];
    const pushes = (await ofWho('ana')).filter(({ kind }) => kind === 'push');
    expect(new Set(pushes.map(({ by }) => by))).to.deep.equal(new Set(['token-ana']));
    expect((await ofWho('root')).filter(({ kind }) => kind === 'push')).to.deep.equal([]);
    await act(`${scene.driver.path}/associations/remove`, SECRET);
    await attempts();
  });

  it('an attempt that an older version of the API caused has no trigger, instead of a wrong one', async () => {
    await act(`${scene.driver.path}/associations/set`, SECRET);
    await attempts();
    const { context } = scene.sealift;
    await context.db.raw('UPDATE associations SET generation = generation + 1, attempts = 0, due_at = now()');
    expect((await attempts()).map(({ trigger }) => trigger)).to.deep.equal([null]);
  });

  it('a link that waits for a pause tells what waits, who caused it and what was decided', async () => {
    const { path } = scene.driver;
    const { client } = scene.sealift;
    const waiting = async () => {
      const read = async (query: string) => {
        const { body } = await client.get(`${path}/associations?${query}`);
        const records: RecordsAnswer['associated_secrets'] = body.data.associated_secrets;
        return Object.values(records)[0]?.waiting;
      };
      const found = await read('mount=secret&secret_name=app/db');
      expect(await read('limit=10')).to.deep.equal(found);
      return found;
    };
    await scene.driver.settles('app/db', 'SYNCED');
    await act(`${path}/pause`, {});
    expect(await waiting()).to.equal(undefined);
    await act(`${path}/associations/set`, { ...SECRET, conflict_policy: 'overwrite' });
    expect(await waiting()).to.deep.equal({
      cause: 'overwrite',
      by: 'token-ana',
      decision: 'overwrite',
      withdrawable: true,
      overwrites_drift: false,
      spares_changes: false,
    });
    await act(`${path}/associations/set`, SECRET);
    expect(await waiting()).to.deep.equal({
      cause: 'sync',
      by: 'token-ana',
      decision: null,
      withdrawable: true,
      overwrites_drift: false,
    });
    await act(`${path}/resume`, {});
    await eventually(async () => expect(causes(await attempts())).to.include('sync token-ana'));
    expect(await waiting()).to.equal(undefined);
  });

  it('syncing a link instead of unlinking it is told as linking it again', async () => {
    const { path } = scene.driver;
    await act(`${path}/pause`, {});
    await attempts(0);
    await act(`${path}/associations/remove`, SECRET);
    await act(`${path}/associations/set`, SECRET);
    await act(`${path}/resume`, {});
    expect(causes(await attempts())).to.deep.equal(['relink token-ana']);
  });

  it('a purge and a move of a mount are told of who began them', async () => {
    const { client } = scene.sealift;
    const path = '/v1/sys/sync/destinations/cloud1-sm/brief';
    await client.post('/v1/sys/mounts/team', { type: 'kv', options: { version: '2' } });
    await client.post('/v1/team/data/db', { data: { password: 'one' } });
    const template = 'brief/{{ .MountPath }}/{{ .SecretPath }}';
    await client.post(path, { ...cloud1Settings('eu-central-1'), secret_name_template: template });
    await client.post(`${path}/associations/set`, { mount: 'team', secret_name: 'db' });
    const pushes = async (mount: string): Promise<(string | null)[][]> => {
      const { body } = await client.get(`/v1/sys/story/${mount}/db`);
      const story: StoryLineAnswer[] = body.data.story;
      return story.flatMap((line) => (line.kind === 'push' ? [[line.action, line.by]] : []));
    };
    const tells = (mount: string, what: string, by: string) =>
      eventually(async () => expect(await pushes(mount)).to.deep.include([what, by]));

    await tells('team', 'create', 'root');
    await act('/v1/sys/remount', { from: 'team', to: 'crew' });
    await tells('crew', 'create', 'token-ana');
    const { status } = await client.delete(`${path}?purge=true`, { token });
    expect(status).to.equal(200);
    await tells('crew', 'delete', 'token-ana');
  });

  it('an attempt tells which versions were deleted, restored or destroyed', async () => {
    const changes = async () =>
      (await attempts()).map(({ trigger, version }) => [
        trigger?.change?.kind,
        trigger?.change?.versions,
        version,
      ]);
    await scene.driver.write('app/db', { password: 'newest' });
    await scene.driver.settles('app/db', 'SYNCED');
    const versions = [
      Number((await scene.sealift.client.get('/v1/secret/data/app/db')).body.data.metadata.version),
    ];
    const [newest = 0] = versions;
    await attempts();
    await act('/v1/secret/delete/app/db', { versions });
    expect(await changes()).to.deep.equal([['delete', versions, newest - 1]]);
    await act('/v1/secret/undelete/app/db', { versions });
    expect(await changes()).to.deep.equal([['undelete', versions, newest]]);
    await act('/v1/secret/destroy/app/db', { versions });
    expect(await changes()).to.deep.equal([['destroy', versions, newest - 1]]);
  });

  it('an entry that goes because its version expired is told so', async () => {
    const body = { ...SECRET, secret_name: 'app/brief' };
    await act('/v1/secret/metadata/app/brief', { delete_version_after: '4s' });
    await act('/v1/secret/data/app/brief', { data: { password: 'one' } });
    await act(`${scene.driver.path}/associations/set`, body);
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app/brief`;
    const lines = await eventually(async (): Promise<Line[]> => {
      const { body: answer } = await scene.sealift.client.get(path);
      expect(answer.data.history).to.have.length(2);
      return answer.data.history;
    });
    expect(lines.map(({ action, trigger }) => [action, trigger])).to.deep.equal([
      ['delete', { cause: 'expiry', by: null }],
      ['create', { cause: 'link', by: 'token-ana' }],
    ]);
  });

  it('an attempt after a rate limit is told from the first, and from a write meanwhile', async () => {
    scene.fake.addFault({ kind: 'throttle', operation: 'PutSecretValue' });
    await act('/v1/secret/data/app/db', { data: { password: 'five' } });
    const [first, ...further] = causes(await attempts(3));
    expect(first).to.equal('write token-ana');
    expect(new Set(further)).to.deep.equal(new Set(['schedule']));
    await act('/v1/secret/data/app/db', { data: { password: 'six' } });
    await eventually(async () => expect(causes(await attempts())).to.include('write token-ana'));
    scene.fake.clearFaults();
    await scene.driver.settles('app/db', 'SYNCED');
    expect(causes(await attempts()).at(-1)).to.equal('schedule');
  });

  it('an attempt after a failure is told from the first, and from a write meanwhile', async () => {
    scene.fake.addFault({ kind: 'error', status: 500 });
    await act('/v1/secret/data/app/db', { data: { password: 'three' } });
    const [first, ...further] = causes(await attempts(2));
    expect(first).to.equal('write token-ana');
    expect(new Set(further)).to.deep.equal(new Set(['schedule']));
    await act('/v1/secret/data/app/db', { data: { password: 'four' } });
    await eventually(async () => expect(causes(await attempts())).to.include('write token-ana'));
  });
});
