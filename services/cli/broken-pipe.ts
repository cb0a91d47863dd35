import { exitCodes } from './exit-codes.ts';

/**
 * Ends the process quietly when the reader of its output has gone, as `| head` goes after its first lines. The exit code
 * stays the one of what was done until then. Ends it with exit code 1 and one sentence when its output cannot be written,
 * as to a full disk.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit();
      if (stream === process.stdout)
        process.stderr.write(`sealift: the output cannot be written: ${reasonOf(error)}\n`);
      process.exit(exitCodes.failed);
    });
  }
}

function reasonOf({ code }: NodeJS.ErrnoException): string {
  return code === 'ENOSPC' ? 'the disk is full (ENOSPC)' : (code ?? 'unknown error');
}
