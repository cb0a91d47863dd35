import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../deploy/local/root.ts';
import type { Sealift } from '../../support/sealift.ts';
import { startExampleService } from './support.ts';

const run = promisify(execFile);

/** The blocks of the pages that can be copied into a shell that has sourced `.local/env`. */
const blocks = ['docs/api.md', 'docs/audit.md', 'README.md'].flatMap((page) => {
  const text = readFileSync(join(projectRoot, page), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ''], index) => ({
    page,
    number: index + 1,
    // The service runs already.
    block: block.replace(/^make demo && source .*\n/, '').trim(),
  }));
});

describe('the pages that show calls of the API', () => {
  let sealift: Sealift;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guide-'));
    sealift = await startExampleService();
  });

  after(async () => {
    await sealift.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the pages have blocks to copy', () => {
    const pages = blocks.map(({ page }) => page);
    expect(pages).to.have.length.greaterThan(11);
    expect(pages).to.include.members(['docs/api.md', 'docs/audit.md', 'README.md']);
  });

  for (const { page, number, block } of blocks) {
    const address = /\$SEALIFT_URL([^" ]*)/.exec(block)?.[1] ?? '';
    it(`block ${number} of ${page}, ${address}, works as it stands`, async () => {
      const environment = {
        PATH: process.env['PATH'] ?? '',
        SEALIFT_URL: sealift.url,
        SEALIFT_TOKEN: sealift.token,
      };
      const options = { env: environment, cwd: folder, timeout: 15_000 };
      const { stdout } = await run('sh', ['-ec', block], options);
      // Answers follow each other without a line feed.
      for (const answer of stdout.replaceAll('}{', '}\n{').split('\n').filter(Boolean))
        expect(JSON.parse(answer)).to.be.an('object').and.not.have.property('errors');
    });
  }
});
