/**
 * Ends the process quietly when the reader of its output has gone, as `| head` goes after its first lines. The exit code
 * stays the one of what was done until then.
 */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}
