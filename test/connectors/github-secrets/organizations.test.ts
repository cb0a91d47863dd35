import { expect } from 'chai';
import type { Session } from '../../../libs/connector/contract.ts';
import { startRepoHostFake, type RepoHostFake } from '../../sandbox/github-secrets/fake.ts';
import { createAppKeys } from '../../sandbox/github-secrets/key-pair.ts';
import { entryOf, failureOf, never, openSession, operations, type OpenOptions } from './support.ts';

const ORGANIZATION = { secrets_location: 'organization', organization_name: 'acme' } as const;
const SELECTED = {
  ...ORGANIZATION,
  organization_visibility: 'selected',
  selected_repository_names: ['web', 'api'],
} as const;

describe('repo-host: organizations and services', () => {
  let fake: RepoHostFake;
  const sessions: Session[] = [];

  async function open(place: object, options: Omit<OpenOptions, 'settings'> = {}): Promise<Session> {
    const session = await openSession(fake, { ...options, settings: place });
    sessions.push(session);
    return session;
  }

  before(async () => {
    fake = await startRepoHostFake();
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close?.();
    fake.reset();
  });
  after(() => fake.close());

  it('a secret of an organization is read by its private repositories, unless others are chosen', async () => {
    for (const [more, visibility] of [
      [{}, 'private'],
      [{ organization_visibility: 'all' }, 'all'],
    ] as const) {
      const session = await open({ ...ORGANIZATION, ...more });
      await session.check(never, 'sealift-check');
      await session.put(entryOf('TOKEN', 'one'), never);
      expect(fake.entries()).to.deep.include({
        name: 'TOKEN',
        value: 'one',
        versions: 1,
        organization: 'acme',
        service: 'actions',
        visibility,
        readers: [],
      });
      await session.remove({ name: 'TOKEN', reference: null }, never);
      expect(fake.entries()).to.deep.equal([]);
    }
  });

  it('every write names the selected repositories, whose ids are asked for once', async () => {
    const session = await open(SELECTED);
    for (const value of ['one', 'two', 'three']) {
      await session.put(entryOf('TOKEN', value), never);
      expect(fake.entries()[0]).to.deep.include({ value, readers: ['acme/web', 'acme/api'] });
    }
    expect(fake.callsOf('getRepository')).to.have.length(2);
  });

  it('a repository that was made anew gets the secret once a write was refused', async () => {
    const session = await open(SELECTED);
    await session.put(entryOf('TOKEN', 'one'), never);
    fake.remake('acme/web');
    fake.addFault({ kind: 'error', status: 422, operation: 'putSecret', times: 1 });
    await failureOf(session.put(entryOf('TOKEN', 'two'), never));
    await session.put(entryOf('TOKEN', 'three'), never);
    expect(fake.entries()[0]).to.deep.include({ readers: ['acme/web', 'acme/api'] });
  });

  it('a selected repository that is not there is named', async () => {
    fake.removeRepository('acme/api');
    const error = await failureOf((await open(SELECTED)).put(entryOf('TOKEN', 'one'), never));
    expect(error).to.include({ kind: 'client', code: 'selected_repository_not_found', scope: 'destination' });
    expect(error.message).to.contain('acme has no repository api');
    fake.reset();
    fake.rename('acme/web', 'acme/site');
    const moved = await failureOf((await open(SELECTED)).put(entryOf('TOKEN', 'one'), never));
    expect(moved.message).to.contain('acme/web has another name now');
    expect(fake.entries()).to.deep.equal([]);
  });

  it('a secret is written again once other repositories are to read it', async () => {
    const key = async (settings: object) => {
      const { reference } = await (await open(settings)).put(entryOf('TOKEN', 'one'), never);
      return { name: 'TOKEN', reference };
    };
    const isOutdated = async (settings: object, entry: { name: string; reference: string | null }) =>
      (await open(settings)).isOutdated?.(entry);
    const entry = await key(SELECTED);
    expect(await isOutdated(SELECTED, entry)).to.equal(false);
    const turned = { ...SELECTED, selected_repository_names: ['API', 'web'] };
    expect(await isOutdated(turned, entry)).to.equal(false);
    for (const other of [{ ...SELECTED, selected_repository_names: ['web'] }, ORGANIZATION])
      expect(await isOutdated(other, entry)).to.equal(true);
    expect(await isOutdated({}, { name: 'TOKEN', reference: null })).to.equal(false);
    const removedFrom = async (settings: object) => (await open(settings)).removedFrom?.(entry);
    expect(await removedFrom(ORGANIZATION)).to.deep.equal([]);
    const fewer = { ...SELECTED, selected_repository_names: ['web'] };
    expect(await removedFrom(fewer)).to.deep.equal(['repositories that are not selected']);
  });

  it('a write whose times could not be had still tells who reads the secret', async () => {
    fake.addFault({ kind: 'cut', operation: 'getSecret', times: 1 });
    const session = await open(SELECTED);
    const { reference } = await session.put(entryOf('TOKEN', 'one'), never);
    expect(session.isOutdated?.({ name: 'TOKEN', reference })).to.equal(false);
    expect(await session.findOwner?.({ name: 'TOKEN', reference }, never)).to.include({ owner: 'unmarked' });
  });

  it('a lack of rights on an organization is told from an organization that is not there', async () => {
    fake.addFault({ kind: 'hidden', operation: 'getPublicKey' });
    const error = await failureOf((await open(ORGANIZATION)).check(never, 'sealift-check'));
    expect(error).to.include({ code: 'permission_missing' });
    expect(error.message).to.contain('"organization_secrets: write"');
    fake.reset();
    const nowhere = { ...ORGANIZATION, organization_name: 'nobody' };
    const gone = await failureOf((await open(nowhere)).check(never, 'sealift-check'));
    expect(gone).to.include({ code: 'container_not_found' });
  });

  it('an organization takes a thousand secrets before it is full', async () => {
    for (let index = 0; index < 1000; index += 1) fake.plantInOrganization(`NAME_${index}`);
    const error = await failureOf((await open(ORGANIZATION)).put(entryOf('ONE_MORE', 'x'), never));
    expect(error).to.include({ kind: 'client', code: 'too_many_entries' });
    expect(error.message).to.contain('the organization acme already has 1000 secrets');
  });

  it('Dependabot and Codespaces have secrets and keys of their own, in both places', async () => {
    for (const place of [{}, ORGANIZATION]) {
      fake.reset();
      for (const secrets_service of ['actions', 'dependabot', 'codespaces'] as const) {
        const session = await open({ ...place, secrets_service });
        await session.check(never, 'sealift-check');
        await session.put(entryOf('TOKEN', secrets_service), never);
      }
      const values = fake.entries().map(({ service, value }) => [service, value]);
      expect(values).to.deep.equal([
        ['actions', 'actions'],
        ['dependabot', 'dependabot'],
        ['codespaces', 'codespaces'],
      ]);
    }
  });

  it('an app gets a token for the permission of the place and the service, and no more', async () => {
    const { privateKey, publicKey } = createAppKeys();
    const app = { appId: 42, privateKey, installation: 7 };
    for (const [place, permission] of [
      [{ secrets_service: 'dependabot' }, 'dependabot_secrets'],
      [{ secrets_service: 'codespaces' }, 'codespaces_secrets'],
      [SELECTED, 'organization_secrets'],
      [{ ...SELECTED, secrets_service: 'dependabot' }, 'organization_dependabot_secrets'],
      [{ ...SELECTED, secrets_service: 'codespaces' }, 'organization_codespaces_secrets'],
    ] as const) {
      fake.reset();
      fake.apps.put({
        id: 42,
        publicKey,
        installations: [{ id: 7, permissions: { [permission]: 'write' } }],
      });
      await (await open(place, { app })).put(entryOf('TOKEN', 'one'), never);
      expect(operations(fake)).to.include('putSecret 201');
    }
  });
});
