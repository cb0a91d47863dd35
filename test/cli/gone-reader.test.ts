import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runWithoutReader } from './support.ts';

describe('a command whose reader has gone', () => {
  // Each command runs in its own process.
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    const { db } = sealift.context;
    const { id } = await db('mounts').where({ path: 'secret', namespace_id: 'root' }).first('id');
    await db.raw(
      `INSERT INTO secrets (mount_id, path, current_version)
       SELECT ?, 'long/' || lpad(n::text, 6, '0'), 1 FROM generate_series(1, 10000) n`,
      [id],
    );
  });
  after(() => sealift.stop());

  it('every command ends quietly when the reader of its output has gone', async () => {
    const environment = { SEALIFT_URL: sealift.url, SEALIFT_TOKEN: sealift.token };
    const commands = [
      '--help',
      'kv --help',
      'configuration',
      'search long/00001',
      'kv list secret/long',
      'status',
    ];
    for (const words of commands) {
      const ended = await runWithoutReader(words.split(' '), environment);
      expect(ended, words).to.deep.equal({ stderr: '', code: 0 });
    }
  });
});
