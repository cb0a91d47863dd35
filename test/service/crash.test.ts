import { expect } from 'chai';
import { spawnProcess } from '../support/child-process.ts';

// Throws where nothing catches it, after the process has started.
const BOMB = `
const timer = setInterval(() => {
  if (process.listenerCount('unhandledRejection') === 0) return;
  clearInterval(timer);
  throw Object.assign(new Error('refused for hunter' + 2), { code: 'EBOMB', url: 'hunter' + 2 });
}, 10);`;

describe('uncaught errors', () => {
  it('an uncaught error ends the process with code 1 and is logged by its code alone', async () => {
    const process = await spawnProcess('programs/settings/main.js', {
      DATABASE_URL: 'postgres://sealift:password@127.0.0.1:1/sealift',
      AMQP_URL: 'amqp://127.0.0.1:1',
      SEALIFT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(BOMB)}`,
    });
    expect(await process.ended).to.equal(1);
    expect(process.output()).to.contain('EBOMB').and.not.contain('hunter2');
  });
});
