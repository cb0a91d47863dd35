import { expect } from 'chai';
import { untilWaiting } from '../../support/lock-waits.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { documentOf, newVersion, SHA, VERSIONS, type Pointed } from './support.ts';

describe('documents of policy-engine versions', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const create = async (attributes: Record<string, unknown>) => {
    const answer = await sealift.client.post(VERSIONS, documentOf(attributes));
    expect(answer.status, answer.text).to.equal(201);
    return answer.body.data;
  };
  const change = (id: string, attributes: unknown) =>
    sealift.client.patch(`${VERSIONS}/${id}`, documentOf(attributes));

  it('a new version gets an id and the defaults, and reads back the same', async () => {
    const created = await create(newVersion('0.59.0'));
    expect(created.id).to.match(/^tool-[0-9A-Za-z]{16}$/);
    expect(created.type).to.equal('policy-engine-versions');
    expect(created.attributes['created-at']).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(created.attributes).to.deep.include({
      version: '0.59.0',
      url: 'https://releases.test/0.59.0',
      sha: SHA,
      deprecated: false,
      'deprecated-reason': null,
      official: false,
      enabled: true,
      beta: false,
      usage: 0,
      archs: [{ url: 'https://releases.test/0.59.0', sha: SHA, os: 'linux', arch: 'amd64' }],
    });
    const read = await sealift.client.get(`${VERSIONS}/${created.id}`);
    expect(read.status).to.equal(200);
    expect(read.headers['content-type']).to.match(/^application\/vnd\.api\+json/);
    expect(read.body.data).to.deep.equal(created);
  });

  it('read-only and unknown attributes are ignored', async () => {
    const created = await create(newVersion('0.59.1', { usage: 'many', 'created-at': 7, colour: 'red' }));
    expect(created.attributes.usage).to.equal(0);
    expect(created.attributes).to.not.have.property('colour');
  });

  it('the reason of a deprecation is null unless deprecated, and an empty one is null', async () => {
    const created = await create(newVersion('0.60.0', { 'deprecated-reason': 'too old' }));
    expect(created.attributes['deprecated-reason']).to.equal(null);
    const deprecated = await change(created.id, { deprecated: true, 'deprecated-reason': 'too old' });
    expect(deprecated.body.data.attributes).to.include({ deprecated: true, 'deprecated-reason': 'too old' });
    const kept = await change(created.id, { beta: true });
    expect(kept.body.data.attributes).to.include({ 'deprecated-reason': 'too old', beta: true });
    const emptied = await change(created.id, { 'deprecated-reason': '' });
    expect(emptied.body.data.attributes).to.include({ deprecated: true, 'deprecated-reason': null });
    await change(created.id, { 'deprecated-reason': 'again' });
    const restored = await change(created.id, { deprecated: false });
    expect(restored.body.data.attributes['deprecated-reason']).to.equal(null);
    const deprecatedAgain = await change(created.id, { deprecated: true });
    expect(deprecatedAgain.body.data.attributes['deprecated-reason']).to.equal(null);
  });

  it('a new version says where it is', async () => {
    const answer = await sealift.client.post(VERSIONS, documentOf(newVersion('0.59.2')));
    expect(answer.headers['location']).to.equal(`${VERSIONS}/${answer.body.data.id}`);
  });

  it('a change under the id of another version is refused with 409', async () => {
    const created = await create(newVersion('0.63.0'));
    const changeAs = (id: unknown) =>
      sealift.client.patch(`${VERSIONS}/${created.id}`, {
        data: { type: 'policy-engine-versions', id, attributes: { beta: true } },
      });
    const refused = await changeAs('tool-0000000000000000');
    expect(refused.status, refused.text).to.equal(409);
    expect(refused.body.errors[0]).to.deep.include({ status: '409', source: { pointer: '/data/id' } });
    expect((await sealift.client.get(`${VERSIONS}/${created.id}`)).body.data).to.deep.equal(created);
    for (const id of ['', null, created.id]) expect((await changeAs(id)).status, String(id)).to.equal(200);
    expect((await changeAs(5)).status).to.equal(422);
  });

  it('a version can be sent back as it is shown, with and without a build for linux/amd64', async () => {
    const arm = { url: 'https://releases.test/arm64', sha: SHA, os: 'linux', arch: 'arm64' };
    for (const attributes of [newVersion('0.64.0'), { version: '0.64.1', archs: [arm] }]) {
      const created = await create(attributes);
      const answer = await sealift.client.patch(`${VERSIONS}/${created.id}`, { data: created });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body.data).to.deep.equal(created);
      const nothing = await change(created.id, { url: null, sha: null });
      expect(nothing.body.data).to.deep.equal(created);
    }
  });

  it('changes that wait for each other in a circle are made one after the other', async () => {
    const first = await create(newVersion('0.65.0'));
    const second = await create(newVersion('0.65.1'));
    const { db } = sealift.context;
    const [holder, other] = await Promise.all([db.transaction(), db.transaction()]);
    // Postgres looks for a circle once in each wait, so the circle must be closed by the API, as soon as the holder lets go.
    await other.raw("SET LOCAL deadlock_timeout = '60s'");
    await other('policy_engine_versions').where({ id: second.id }).update({ version: '0.65.2' });
    await holder('policy_engine_versions').where({ id: first.id }).forUpdate().first('id');
    const changing = change(first.id, { version: '0.65.1' });
    await untilWaiting(db, 1);
    const marking = other('policy_engine_versions').where({ id: first.id }).update({ beta: true });
    await Promise.all([marking, untilWaiting(db, 2).then(() => holder.commit())]);
    await other.commit();
    const answer = await changing;
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.data.attributes).to.include({ version: '0.65.1', beta: true });
  });

  it('a change without attributes changes nothing', async () => {
    const created = await create(newVersion('0.61.0'));
    const answer = await sealift.client.patch(`${VERSIONS}/${created.id}`, {
      data: { type: 'policy-engine-versions' },
    });
    expect(answer.status).to.equal(200);
    expect(answer.body.data).to.deep.equal(created);
  });

  it('a version can be renamed, but not to a taken name', async () => {
    await create(newVersion('0.62.0'));
    const created = await create(newVersion('0.62.1'));
    const renamed = await change(created.id, { version: '0.62.2-bundle' });
    expect(renamed.body.data.attributes.version).to.equal('0.62.2-bundle');
    const taken = await change(created.id, { version: '0.62.0' });
    expect(taken.status).to.equal(422);
    expect(taken.body.errors).to.deep.equal([
      {
        status: '422',
        title: 'invalid attribute',
        detail: 'version has already been taken',
        source: { pointer: '/data/attributes/version' },
      },
    ]);
    const same = await change(created.id, { version: '0.62.2-bundle' });
    expect(same.status).to.equal(200);
  });

  it('only one of many creations of one version at once succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => sealift.client.post(VERSIONS, documentOf(newVersion('7.7.7')))),
    );
    const countOf = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([countOf(201), countOf(422)]).to.deep.equal([1, 7]);
  });

  describe('builds by architecture', () => {
    const amd = { url: 'https://releases.test/amd64', sha: SHA, os: 'linux', arch: 'amd64' };
    const arm = { url: 'https://releases.test/arm64', sha: 'b'.repeat(64), os: 'linux', arch: 'arm64' };

    it('builds keep their order, and url and sha mirror the one for linux/amd64', async () => {
      const created = await create({ version: '1.0.0', archs: [arm, amd] });
      expect(created.attributes.archs).to.deep.equal([arm, amd]);
      expect(created.attributes).to.include({ url: amd.url, sha: amd.sha });
    });

    it('the attributes url and sha are null without linux/amd64', async () => {
      const created = await create({ version: '1.0.1', archs: [arm] });
      expect(created.attributes).to.include({ url: null, sha: null });
    });

    it('the os and arch of a build are linux and amd64 unless given', async () => {
      const created = await create({ version: '1.0.2', archs: [{ url: amd.url, sha: SHA }] });
      expect(created.attributes.archs).to.deep.equal([amd]);
    });

    it('the attributes url and sha beside builds must be those of linux/amd64', async () => {
      const matching = await create({ version: '1.0.3', archs: [arm, amd], url: amd.url, sha: amd.sha });
      expect(matching.attributes.archs).to.deep.equal([arm, amd]);
      for (const archs of [[arm], [arm, { ...amd, url: 'https://other.test', sha: 'c'.repeat(64) }]]) {
        const answer = await sealift.client.post(
          VERSIONS,
          documentOf({ version: '1.0.4', archs, url: amd.url, sha: amd.sha }),
        );
        expect(answer.status).to.equal(422);
        expect(answer.body.errors.map((error: Pointed) => error.source.pointer)).to.deep.equal([
          '/data/attributes/url',
          '/data/attributes/sha',
        ]);
      }
    });

    it('a change of url alone changes the linux/amd64 build and nothing else', async () => {
      const created = await create({ version: '1.1.0', archs: [arm, amd] });
      const answer = await change(created.id, { url: 'https://moved.test/x' });
      expect(answer.body.data.attributes.archs).to.deep.equal([arm, { ...amd, url: 'https://moved.test/x' }]);
      expect(answer.body.data.attributes).to.include({ url: 'https://moved.test/x', sha: SHA });
    });

    it('a change of the builds replaces all of them', async () => {
      const created = await create({ version: '1.1.1', archs: [arm, amd] });
      const answer = await change(created.id, { archs: [arm] });
      expect(answer.body.data.attributes).to.include({ url: null, sha: null });
      expect(answer.body.data.attributes.archs).to.deep.equal([arm]);
      const emptied = await change(created.id, { archs: [] });
      expect(emptied.status).to.equal(422);
      expect(emptied.body.errors[0].source.pointer).to.equal('/data/attributes/archs');
      const lacking = await change(created.id, { url: amd.url });
      expect(lacking.status).to.equal(422);
      expect(lacking.body.errors[0].source.pointer).to.equal('/data/attributes/sha');
      const added = await change(created.id, { url: amd.url, sha: amd.sha });
      expect(added.body.data.attributes.archs).to.deep.equal([arm, amd]);
    });
  });
});
