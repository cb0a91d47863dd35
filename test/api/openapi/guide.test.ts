import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../deploy/local/root.ts';
import type { Sealift } from '../../support/sealift.ts';
import { startExampleService } from './support.ts';

const run = promisify(execFile);
const guide = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());

describe('the guide to the API', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startExampleService();
  });

  after(() => sealift.stop());

  it('the guide has blocks to copy', () => {
    expect(blocks).to.have.length.greaterThan(9);
  });

  for (const [index, block] of blocks.entries()) {
    const address = /\$SEALIFT_URL([^"]*)/.exec(block)?.[1] ?? '';
    it(`block ${index + 1}, ${address}, works as it stands`, async () => {
      const environment = {
        PATH: process.env['PATH'] ?? '',
        SEALIFT_URL: sealift.url,
        SEALIFT_TOKEN: sealift.token,
      };
      const { stdout } = await run('sh', ['-ec', block], { env: environment, timeout: 15_000 });
      if (stdout !== '') expect(JSON.parse(stdout)).to.be.an('object').and.not.have.property('errors');
    });
  }
});
