import type { Writable } from 'node:stream';

/**
 * Has what is written within one turn of the event loop leave together. amqplib writes once for each channel, and each
 * write is a packet of its own that the broker wakes up for.
 */
export function gatherWrites(stream: Writable): void {
  const write = stream.write.bind(stream);
  const flush = (): void => stream.uncork();
  stream.write = (...sent: unknown[]): boolean => {
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(flush);
    }
    return write(...(sent as Parameters<typeof write>));
  };
}
