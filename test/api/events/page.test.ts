import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../deploy/local/root.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

const page = readFileSync(join(projectRoot, 'docs/events.md'), 'utf8');
const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
const block = (language: string): string => blocks.find(([, name]) => name === language)?.[2] ?? '';

describe('the page about events', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
  });
  after(() => sealift.stop());

  it('the example prints, with the policy of the page, an event like the one of the page', async () => {
    await sealift.client.post('/v1/sys/policies/acl/events', {
      policy: block('hcl').replace('subscribe/kv*', 'subscribe/kv-v2/*'),
    });
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['events'] });
    const environment = {
      PATH: process.env['PATH'] ?? '',
      SEALIFT_URL: sealift.url,
      SEALIFT_TOKEN: String(made.body.auth.client_token),
    };
    const follower = spawn('sh', ['-c', `exec ${block('sh').trim()}`], { env: environment });
    let printed = '';
    for (const stream of [follower.stdout, follower.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    try {
      const line = await eventually(async () => {
        await sealift.client.post('/v1/secret/data/app/db', { data: { a: 'b' } });
        return printed.split('\n').find((text) => text.startsWith('{'));
      });
      const shapeOf = (text = ''): string =>
        JSON.stringify(JSON.parse(text), (_key, value: unknown) =>
          typeof value === 'string' ? 'text' : value,
        );
      const shown = block('json').replace(/,\s*"namespace": "team\/"/, '');
      const sorted = (text: string): string[] => text.split(/[{},]/).toSorted();
      expect(sorted(shapeOf(line))).to.deep.equal(sorted(shapeOf(shown)));
    } finally {
      follower.kill();
    }
  });
});
