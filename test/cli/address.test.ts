import { closeSync, openSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf, program, runCommand } from './support.ts';

const READS = [
  'status',
  'destination list',
  'session list',
  'team list',
  'github-app list',
  'alert list',
  'token lookup',
  'incidents --open',
  'search app',
  'kv get secret/app',
  'kv list secret',
];

describe('the address of the API', () => {
  // Each command runs in its own process.
  let sealift: Sealift;
  let stranger: Server;
  let answer: { status: number; headers?: Record<string, string>; body: string };

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    stranger = createServer((_request, response) => {
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    stranger?.close();
    await sealift?.stop();
  });

  const { run } = commandsOf(() => sealift);
  const expectRefused = async (words: string, url: string): Promise<void> => {
    const { code, stdout, stderr } = await run(words, { environment: { SEALIFT_URL: url } });
    expect([code, stdout], `${words} at ${url}: ${stderr}`).to.deep.equal([78, '']);
    expect(stderr, words)
      .to.match(/^sealift: SEALIFT_URL is http.*: set it to the address of the API without a path.*\n$/)
      .and.not.include('undefined');
  };

  it('every verb refuses a path that is not the API, and none takes it for an empty installation', async () => {
    for (const words of READS) await expectRefused(words, `${sealift.url}/nosuch`);
    for (const path of ['/ui/', '/api'])
      for (const words of ['status', 'token lookup']) await expectRefused(words, sealift.url + path);
  });

  it('an address with /v1 at its end is understood', async () => {
    for (const end of ['/v1', '/v1/', '//']) {
      const { code, stdout } = await run('status', { environment: { SEALIFT_URL: sealift.url + end } });
      expect([code, stdout]).to.deep.equal([0, 'there are no destinations\n']);
    }
  });

  it('the answers of other servers are no answers of the API', async () => {
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const page = '<!doctype html><title>Welcome</title>';
    for (const status of [200, 403, 404, 405]) {
      answer = { status, body: page };
      await expectRefused('destination list', url);
      answer = { status, body: '{"kind":"Status","data":{"key_info":{}}}' };
      await expectRefused('token lookup', url);
    }
    answer = { status: 302, headers: { location: 'https://login.example.com/?next=1' }, body: '' };
    await expectRefused('status', url);
    answer = { status: 502, body: page };
    const away = await run('status', { environment: { SEALIFT_URL: url } });
    expect([away.code, away.stdout]).to.deep.equal([5, '']);
  });

  it('an address with a user name or a query is refused', async () => {
    for (const url of ['http://me:secret@127.0.0.1:1', `${sealift.url}?a=b`]) {
      const { code, stderr } = await run('status', { environment: { SEALIFT_URL: url } });
      expect(code).to.equal(78);
      expect(stderr).to.include('the address of the API alone').and.not.include('secret');
    }
  });

  it('a token without rights is told that the address has a path', async () => {
    const { body } = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    const environment = { SEALIFT_URL: `${sealift.url}/nosuch`, SEALIFT_TOKEN: body.auth.client_token };
    const { code, stderr } = await run('status', { environment });
    expect([code, stderr]).to.satisfy(
      ([ended, said]: [number, string]) => ended === 4 && said.includes('SEALIFT_URL is not'),
    );
  });

  it('a full disk behind the output ends a command with one sentence', () => {
    const environment = { SEALIFT_URL: sealift.url, SEALIFT_TOKEN: sealift.token };
    for (const words of ['--help', '--version', 'configuration', 'job', 'job --json', 'kv --help']) {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [program, ...words.split(' ')], {
        env: { PATH: process.env['PATH'] ?? '', ...environment },
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      expect([status, String(stderr)], words).to.deep.equal([
        1,
        'sealift: the output cannot be written: the disk is full (ENOSPC)\n',
      ]);
    }
  });

  it('a time that cannot be read is wrong usage, in words of the command line', async () => {
    for (const words of ['incidents --since foo', 'destination pause cloud1-sm/x --until yesterday']) {
      const { code, stderr } = await runCommand(words.split(' '), { SEALIFT_TOKEN: 'unused' });
      expect(code).to.equal(2);
      expect(stderr).to.include('such as 2027-01-31T08:00:00Z').and.not.include('%2B');
    }
  });
});
