import { request } from 'node:http';
import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { done, startWithMethods } from './support.ts';

describe('what a token reaches past its rules', () => {
  let sealift: Sealift;
  let token: string;
  before(async () => {
    sealift = await startWithMethods();
    const { client } = sealift;
    for (const path of ['open/a', 'closed/a'])
      await done(client.post(`/v1/secret/data/${path}`, { data: { hidden: path } }));
    await done(
      client.post('/v1/sys/policies/acl/trap', {
        policy: `path "secret/metadata/*" { capabilities = ["list", "read"] }
          path "secret/metadata/closed/*" { capabilities = ["deny"] }
          path "secret/data/open/*" { capabilities = ["read"] }`,
      }),
    );
    const made = await client.post('/v1/auth/token/create', { policies: ['trap'] });
    token = made.body.auth.client_token as string;
  });
  after(() => sealift.stop());

  // As it is written: URL and fetch would take the dots out.
  const raw = (method: string, path: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(sealift.url);
      const call = request(
        { hostname, port, method, path, headers: { 'x-vault-token': token } },
        (answer) => {
          let text = '';
          answer.on('data', (piece: Buffer) => (text += piece.toString()));
          answer.on('end', () => {
            resolve({ status: answer.statusCode ?? 0, text });
          });
        },
      );
      call.on('error', reject).end();
    });

  it('a folder that is denied is not listed, however the call is written', async () => {
    for (const path of [
      'closed',
      'closed/',
      'closed//',
      '/closed',
      'closed%2F',
      './closed',
      'open/../closed',
    ])
      for (const [method, query] of [
        ['LIST', ''],
        ['GET', '?list=true'],
      ] as const) {
        const { status, text } = await raw(method, `/v1/secret/metadata/${path}${query}`);
        expect(status, `${method} ${path}`).to.be.within(400, 404);
        expect(text, `${method} ${path}`).not.to.include('keys');
      }
    expect((await raw('LIST', '/v1/secret/metadata/open')).text).to.include('"keys":["a"]');
  });

  it('dots in a path do not lead out of what is allowed', async () => {
    for (const dots of ['..', '%2e%2e', '.%2E', '%252e%252e', '..;', '..%2f..%2fdata'])
      for (const path of [
        `open/${dots}/closed/a`,
        `open/x/${dots}/${dots}/closed/a`,
        `open/${dots}/closed/./a`,
      ]) {
        const { status, text } = await raw('GET', `/v1/secret/data/${path}`);
        expect(status, path).to.be.within(400, 404);
        expect(text, path).not.to.include('closed/a"');
      }
    expect((await raw('GET', '/v1/secret/data/open/a')).status).to.equal(200);
  });
});
