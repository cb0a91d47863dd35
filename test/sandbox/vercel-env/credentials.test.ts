import { VercelCore } from '@vercel/sdk/core.js';
import { projectsCreateProjectEnv } from '@vercel/sdk/funcs/projectsCreateProjectEnv.js';
import { expect } from 'chai';
import { type HostingProjectFake, startHostingProjectFake } from './fake.ts';

describe('credentials at the fake of Vercel', () => {
  let fake: HostingProjectFake;

  before(async () => {
    fake = await startHostingProjectFake();
  });
  beforeEach(() => fake.reset());
  after(() => fake.close());

  async function createBySdk(bearerToken: string, teamId?: string): Promise<string> {
    const sdk = new VercelCore({ bearerToken, serverURL: fake.url });
    const row = { key: 'A', value: 'one', type: 'encrypted' as const, target: ['production' as const] };
    const result = await projectsCreateProjectEnv(sdk, {
      idOrName: 'prj_web',
      requestBody: row,
      ...(teamId === undefined ? {} : { teamId }),
    });
    if (result.ok) return 'taken';
    const { statusCode, body } = result.error as { statusCode?: number; body?: string };
    return `${statusCode} ${/"code":"(\w+)"/.exec(body ?? '')?.[1]}`;
  }

  async function answerTo(path: string, token: string | null): Promise<[number, unknown]> {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(`${fake.url}${path}`, { headers });
    const { error } = (await answer.json()) as { error?: unknown };
    return [answer.status, error];
  }

  it('the SDK is let in with a token that was given out only', async () => {
    expect(await createBySdk('vcp_never-given')).to.equal('403 forbidden');
    expect(fake.entries()).to.deep.equal([]);
    expect(await createBySdk('vcp_valid')).to.equal('taken');
    const refused = [403, { code: 'forbidden', message: 'Not authorized', invalidToken: true }];
    for (const token of ['vcp_valid2', null])
      expect(await answerTo('/v10/projects/prj_web/env', token)).to.deep.equal(refused);
    fake.acceptAfter('vcp_valid', 60_000);
    expect(await answerTo('/v10/projects/prj_web/env', 'vcp_valid')).to.deep.equal(refused);
  });

  it('a token without rights in a team, or none to write, is told so', async () => {
    fake.restrictToken('vcp_account', { teams: [''] });
    expect(await createBySdk('vcp_account')).to.equal('taken');
    expect(await createBySdk('vcp_account', 'team_acme')).to.equal('403 forbidden');
    fake.restrictToken('vcp_team', { teams: ['team_acme'] });
    expect(await createBySdk('vcp_team')).to.equal('403 forbidden');
    expect(await createBySdk('vcp_team', 'team_acme')).to.equal('taken');
    fake.restrictToken('vcp_reader', { variables: 'read' });
    expect(await createBySdk('vcp_reader')).to.equal('403 forbidden');
    expect(fake.entries()).to.have.length(2);
  });

  it('a call in a version that is not served is no call of the API', async () => {
    for (const version of ['v8', 'v9', 'v10'])
      expect((await answerTo(`/${version}/projects/prj_web/env`, 'vcp_valid'))[0]).to.equal(200);
    for (const path of ['/v7/projects/prj_web/env', '/v11/projects/prj_web/env', '/v2/projects/prj_web'])
      expect((await answerTo(path, 'vcp_valid'))[0], path).to.equal(404);
  });
});
