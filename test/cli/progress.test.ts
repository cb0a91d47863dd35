import { expect } from 'chai';
import { PassThrough } from 'node:stream';
import { printable } from '../../services/cli/output.ts';
import { createProgress } from '../../services/cli/status/progress.ts';

function record(isTerminal: boolean) {
  const stream = new PassThrough();
  const progress = createProgress(stream, { isTerminal });
  return { progress, written: () => String(stream.read() ?? '') };
}

describe('The progress of a drain', () => {
  it('is a bar on a terminal that grows with what is done', () => {
    const { progress, written } = record(true);
    progress.show({ total: 4, settled: 0, waiting: 4, failed: 0 });
    progress.show({ total: 4, settled: 2, waiting: 1, failed: 1 });
    progress.stop();
    const text = written();
    expect(text)
      .to.contain('0%')
      .and.to.contain('75%')
      .and.to.contain('3 of 4 done')
      .and.to.contain('1 failed');
    expect(text).to.contain('█');
  });

  it('is a line for each change elsewhere', () => {
    const { progress, written } = record(false);
    progress.show({ total: 2, settled: 0, waiting: 2, failed: 0 });
    progress.show({ total: 2, settled: 0, waiting: 2, failed: 0 });
    progress.show({ total: 2, settled: 2, waiting: 0, failed: 0 });
    progress.stop();
    expect(written()).to.equal('0 of 2 done, 2 under way, 0 failed\n2 of 2 done, 0 under way, 0 failed\n');
  });
});

describe('Texts of unknown origin', () => {
  it('cannot steer a terminal, and keep their lines', () => {
    expect(printable('a\u001b[2Jb\r\u202ec\u009b\nd\te')).to.equal('a\ufffd[2Jb\ufffd\ufffdc\ufffd\nd\te');
  });
});
