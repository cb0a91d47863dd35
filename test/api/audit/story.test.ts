import { expect } from 'chai';
import { insertAuditEvents } from '../../../libs/store/audit/events.ts';
import type { StoryLineAnswer } from '../../../services/api/contract/story.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { named } from './support.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/story';

describe('the story of a secret', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const read = async (query = '', path = 'secret/app/db', token?: string | null) =>
    sealift.client.get(`/v1/sys/story/${path}${query}`, token === undefined ? {} : { token });
  const readStory = async (query = ''): Promise<StoryLineAnswer[]> => {
    const answer = await read(query);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body.data.story;
  };
  const tokenWith = async (policy: string): Promise<string> => {
    const name = `p${Math.random().toString(36).slice(2)}`;
    await sealift.client.post(`/v1/sys/policies/acl/${name}`, { policy });
    const made = await sealift.client.post('/v1/auth/token/create', { policies: [name] });
    return made.body.auth.client_token;
  };

  it('a story lists versions, reads, reveals, links and pushes of one secret, newest first', async () => {
    const { client } = sealift;
    const other = { data: { a: 'CaNaRy' } };
    await client.post('/v1/secret/data/app/db', { data: { a: 'CaNaRy' } }, named('story-write'));
    await client.post('/v1/secret/data/app/db2', other, named('story-other'));
    await client.get('/v1/secret/data/app/db', named('story-read'));
    await client.post('/v1/sys/reveal/secret/app/db', { keys: ['a'] }, named('story-reveal'));
    const made = await client.post(DESTINATION, {
      access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'eu-central-1',
    });
    expect(made.status, made.text).to.equal(200);
    const link = { mount: 'secret', secret_name: 'app/db' };
    await client.post(`${DESTINATION}/associations/set`, link, named('story-link'));
    await client.post(`${DESTINATION}/associations/remove`, link, named('story-unlink'));
    await client.delete('/v1/secret/data/app/db', named('story-delete'));

    const lines = await readStory();
    const times = lines.map(({ at }) => at);
    expect(times).to.deep.equal(times.toSorted().toReversed());
    const kinds = lines.map((line) => ('request_id' in line ? `${line.kind} ${line.request_id}` : line.kind));
    expect(kinds.filter((kind) => kind !== 'push')).to.have.members([
      'change story-delete',
      'unlink story-unlink',
      'link story-link',
      'reveal story-reveal',
      'read story-read',
      'version',
      'change story-write',
    ]);
    const version = lines.find((line) => line.kind === 'version');
    expect(version).to.include({ version: 1, destroyed: false });
    expect(version?.kind === 'version' && version.deleted_at).to.be.a('string');
    expect(JSON.stringify(lines)).to.not.include('CaNaRy');
  });

  it('pages of one line lead through the whole story, each line once', async () => {
    const whole = await readStory('?limit=1000');
    const paged: StoryLineAnswer[] = [];
    for (let after: string | null = ''; after !== null;) {
      const answer: Awaited<ReturnType<typeof read>> = await read(`?limit=1&after=${after}`);
      expect(answer.status, answer.text).to.equal(200);
      paged.push(...answer.body.data.story);
      after = answer.body.data.next_after;
    }
    expect(paged).to.deep.equal(whole);
  });

  it('a story needs the right to read the metadata, and tells a stranger nothing about mounts', async () => {
    const onlyStory = await tokenWith('path "sys/story/*" { capabilities = ["read"] }');
    for (const path of ['secret/app/db', 'nowhere/app/db']) {
      const refused = await read('', path, onlyStory);
      expect(refused.status).to.equal(403);
    }
    const reader = await tokenWith(
      'path "sys/story/secret/app/*" { capabilities = ["read"] }\npath "secret/metadata/app/*" { capabilities = ["read"] }',
    );
    expect((await read('', 'secret/app/db', reader)).status).to.equal(200);
    expect((await read('', 'secret/other', reader)).status).to.equal(403);
    expect((await read('', 'secret/app/db', null)).status).to.equal(403);
  });

  it('a story can be asked for one person or token alone, by a part of the name', async () => {
    const { client } = sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'Ana' });
    const token = made.body.auth.client_token;
    await client.post('/v1/secret/data/app/who', { data: { a: 1 } });
    await client.post('/v1/secret/data/app/who', { data: { a: 2 } }, { token, ...named('by-ana') });
    const ofWho = async (query: string): Promise<StoryLineAnswer[]> =>
      (await read(query, 'secret/app/who')).body.data.story;
    expect((await ofWho('?who=ana')).map(({ kind }) => kind)).to.have.members(['version', 'change']);
    expect((await ofWho('?who=TOKEN-ana')).every(({ by }) => by === 'token-Ana')).to.equal(true);
    expect((await ofWho('?who=root')).some(({ by }) => by === 'token-Ana')).to.equal(false);
    expect(await ofWho('?who=nobody')).to.deep.equal([]);
    expect((await ofWho('?who=')).length).to.equal((await ofWho('')).length);
    const first = await read('?who=ana&limit=1', 'secret/app/who');
    const rest = await ofWho(`?who=ana&after=${first.body.data.next_after}`);
    expect([...first.body.data.story, ...rest]).to.deep.equal(await ofWho('?who=ana'));
  });

  it('a story can be asked for changes without reads, or for reads alone', async () => {
    const { client } = sealift;
    await client.post('/v1/secret/data/app/kinds', { data: { a: 1 } });
    await client.get('/v1/secret/data/app/kinds');
    await client.post('/v1/sys/reveal/secret/app/kinds', { keys: ['a'] });
    const ofKind = async (query: string): Promise<StoryLineAnswer[]> =>
      (await read(query, 'secret/app/kinds')).body.data.story;
    expect((await ofKind('?kind=change')).map(({ kind }) => kind)).to.have.members(['version', 'change']);
    expect((await ofKind('?kind=read')).map(({ kind }) => kind)).to.have.members(['read', 'reveal']);
    expect(await ofKind('?kind=read&who=nobody')).to.deep.equal([]);
    const wrong = await read('?kind=write', 'secret/app/kinds');
    expect(wrong.status).to.equal(400);
    expect(wrong.text).to.include('kind');
  });

  it('a story can be asked for what ended in one way, and a version was saved', async () => {
    const { client } = sealift;
    await client.post('/v1/secret/data/app/ends', { data: { a: 1 } });
    await client.post('/v1/secret/data/app/ends', { options: { cas: 7 }, data: { a: 2 } });
    const ended = async (query: string): Promise<StoryLineAnswer[]> =>
      (await read(query, 'secret/app/ends')).body.data.story;
    const succeeded = await ended('?outcome=succeeded');
    expect(succeeded.map(({ kind }) => kind)).to.have.members(['version', 'change']);
    const refused = await ended('?outcome=refused');
    expect(refused.map((line) => 'status' in line && line.status)).to.deep.equal([400]);
    expect(await ended('?outcome=refused&who=nobody')).to.deep.equal([]);
    expect(await ended('')).to.have.lengthOf(3);
    expect((await read('?outcome=odd', 'secret/app/ends')).status).to.equal(400);
  });

  it('a search for somebody rare in a long story looks at a limited part for each page', async () => {
    const { client, context } = sealift;
    await client.post('/v1/secret/data/app/long', { data: { a: 1 } });
    const { rows } = await context.db.raw<{ rows: { id: number }[] }>(
      "SELECT id FROM mounts WHERE path = 'secret'",
    );
    const entry = {
      accessor: null,
      actor: 'token-often',
      namespace: '',
      action: 'GET /:mount/data/*path',
      path: 'secret/data/app/long',
      requestId: null,
      outcome: 'succeeded' as const,
      mountId: rows[0]?.id ?? 0,
      secretPath: 'app/long',
    };
    await insertAuditEvents(context.db, [{ ...entry, actor: 'token-rare' }]);
    await insertAuditEvents(
      context.db,
      Array.from({ length: 5000 }, () => entry),
    );
    const first = (await read('?who=rare', 'secret/app/long')).body.data;
    expect(first.story).to.deep.equal([]);
    const second = (await read(`?who=rare&after=${first.next_after}`, 'secret/app/long')).body.data;
    expect(second.story.map(({ by }: StoryLineAnswer) => by)).to.deep.equal(['token-rare']);
    expect(second.next_after).to.equal(null);
  });

  it('a secret that never was has an empty story, and a mount alone has none', async () => {
    const nothing = await read('', 'secret/never/was');
    expect([nothing.status, nothing.body.data?.story]).to.deep.equal([200, []]);
    expect((await read('', 'secret')).status).to.equal(404);
    const wrong = await read('?after=soon');
    expect([wrong.status, wrong.body.errors]).to.deep.equal([
      400,
      ['after must be next_after of an earlier answer'],
    ]);
  });
});
