import { Octokit } from '@octokit/core';
import { expect } from 'chai';
import { type RepoHostFake, startRepoHostFake } from './fake.ts';

describe('credentials at the fake of GitHub', () => {
  let fake: RepoHostFake;

  before(async () => {
    fake = await startRepoHostFake();
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  async function outcomeOf(auth: string | null, version?: string, method = 'GET'): Promise<string> {
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const octokit = new Octokit({ ...(auth === null ? {} : { auth }), baseUrl: fake.url, log });
    const headers = version === undefined ? {} : { 'x-github-api-version': version };
    const path = method === 'GET' ? '' : '/NAME';
    try {
      const url = `/repos/acme/web/actions/secrets${path}`;
      return String((await octokit.request(`${method} ${url}`, { headers })).status);
    } catch (error) {
      const { status, response } = error as { status: number; response: { data: { message: string } } };
      return `${status} ${response.data.message}`;
    }
  }

  it('the SDK is let in with a token that was given out only', async () => {
    expect(await outcomeOf('ghp_valid')).to.equal('200');
    for (const token of ['ghp_never-given', 'ghp_valid2', null])
      expect(await outcomeOf(token)).to.equal('401 Bad credentials');
    fake.restrictToken('ghp_new', {});
    expect(await outcomeOf('ghp_new')).to.equal('200');
    fake.restrictToken('ghp_new', { revoked: true });
    expect(await outcomeOf('ghp_new')).to.equal('401 Bad credentials');
    fake.reset();
    expect(await outcomeOf('ghp_new')).to.equal('401 Bad credentials');
    fake.acceptAfter('ghp_valid', 60_000);
    expect(await outcomeOf('ghp_valid')).to.equal('401 Bad credentials');
  });

  it('a token without the right is told so', async () => {
    const refused = '403 Resource not accessible by personal access token';
    fake.restrictToken('ghp_reader', { secrets: 'read' });
    expect(await outcomeOf('ghp_reader')).to.equal('200');
    expect(await outcomeOf('ghp_reader', undefined, 'DELETE')).to.equal(refused);
    fake.restrictToken('ghp_nothing', { secrets: 'none' });
    expect(await outcomeOf('ghp_nothing')).to.equal(refused);
    fake.restrictToken('ghp_elsewhere', { repositories: ['acme/other'] });
    expect(await outcomeOf('ghp_elsewhere')).to.equal('404 Not Found');
  });

  it('a version of the API that is not supported is refused', async () => {
    for (const version of ['2022-11-28', '2026-03-10'])
      expect(await outcomeOf('ghp_valid', version)).to.equal('200');
    for (const version of ['v3', '2022-11-29'])
      expect(await outcomeOf('ghp_valid', version)).to.equal(
        `400 The version you specified in the "X-GitHub-API-Version" request header, "${version}", is not a supported version. The following versions are currently supported: "2026-03-10" (most recent), "2022-11-28".`,
      );
  });
});
