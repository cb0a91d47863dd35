import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { printable } from '../../services/cli/output.ts';
import { addUp } from '../../services/cli/status/counts.ts';
import { createProgress } from '../../services/cli/status/progress.ts';

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const NOTHING = addUp([]);

function record(isTerminal: boolean) {
  const stream = new PassThrough();
  const progress = createProgress(stream, { isTerminal });
  return { progress, written: () => String(stream.read() ?? '') };
}

describe('the progress of a drain', () => {
  it('progress on a terminal is a bar that grows with what is done, and not with what failed', () => {
    const { progress, written } = record(true);
    progress.show({ ...NOTHING, total: 4, waiting: 4 });
    progress.show({ ...NOTHING, total: 4, settled: 2, waiting: 1, failed: 1 });
    progress.stop();
    const text = written();
    expect(text)
      .to.contain('0%')
      .and.to.contain('50%')
      .and.to.contain('2 of 4 links done')
      .and.to.contain('1 failed');
    expect(text).to.contain('█');
  });

  it('the cursor of the terminal comes back where a signal ends the command', async () => {
    const module = new URL('../../services/cli/status/progress.js', import.meta.url).href;
    const code = `
      const { createProgress } = await import('${module}');
      process.stdout.isTTY = true;
      createProgress(process.stdout, { isTerminal: true }).show(${JSON.stringify({ ...NOTHING, total: 2, waiting: 2 })});
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', code]);
    const chunks: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk.toString());
      if (chunks.join('').includes('pending')) child.kill('SIGINT');
    });
    expect(await once(child, 'close')).to.deep.equal([null, 'SIGINT']);
    const text = chunks.join('');
    expect(text.lastIndexOf(SHOW_CURSOR)).to.be.above(text.lastIndexOf(HIDE_CURSOR));
    expect(text).to.contain(HIDE_CURSOR);
  });

  it('progress elsewhere is a line for each change, in which what failed is not done', () => {
    const { progress, written } = record(false);
    progress.show({ ...NOTHING, total: 2, waiting: 2 });
    progress.show({ ...NOTHING, total: 2, waiting: 2 });
    progress.show({ ...NOTHING, total: 2, settled: 1, waiting: 1, throttled: 1 });
    progress.show({ ...NOTHING, total: 2, settled: 2 });
    progress.show({ ...NOTHING, total: 2, settled: 1, failed: 1 });
    progress.stop();
    expect(written().split('\n')).to.deep.equal([
      '0 of 2 links done, 2 pending, 0 failed',
      '1 of 2 links done, 1 pending (1 rate-limited), 0 failed',
      '2 of 2 links done, 0 pending, 0 failed',
      '1 of 2 links done, 0 pending, 1 failed',
      '',
    ]);
  });
});

describe('texts of unknown origin', () => {
  it('texts of unknown origin cannot steer a terminal, and keep their lines', () => {
    expect(printable('a\u001b[2Jb\r\u202ec\u009b\nd\te')).to.equal('a\ufffd[2Jb\ufffd\ufffdc\ufffd\nd\te');
  });
});
