import type { Socket } from 'node:net';

/** The state of the simulated network; it applies to all data in transit. */
export type Weather = { delayMs: number; bytesPerSecond: number; stalled: boolean };

/** One direction of a connection. */
export type Line = {
  /** Checks whether data may arrive by now. */
  look: () => void;
  isEmpty: () => boolean;
};

// The most data in transit. At this size the sender waits, as with a TCP window.
const MOST_BYTES = 1_000_000;

/**
 * Carries data from one socket to another, in order. Each chunk has a time when it is due, so a delay is the same however
 * many chunks follow each other. Data in transit is lost when the receiver's connection is cut.
 */
export function createLine(from: Socket, to: Socket, weather: Weather): Line {
  // A null chunk marks the end of the data.
  const underWay: { chunk: Buffer | null; due: number }[] = [];
  let bytes = 0;
  let isFreeAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const add = (chunk: Buffer | null): void => {
    if (to.destroyed) return;
    const length = chunk?.length ?? 0;
    isFreeAt = Math.max(performance.now(), isFreeAt) + (length / weather.bytesPerSecond) * 1000;
    const before = underWay.at(-1)?.due ?? 0;
    underWay.push({ chunk, due: Math.max(before, isFreeAt + weather.delayMs) });
    bytes += length;
    if (bytes > MOST_BYTES) from.pause();
    look();
  };
  const look = (): void => {
    clearTimeout(timer);
    for (let next = underWay[0]; next && !to.writableNeedDrain && !weather.stalled; next = underWay[0]) {
      const waitMs = next.due - performance.now();
      if (waitMs >= 1) {
        timer = setTimeout(look, waitMs);
        break;
      }
      underWay.shift();
      hand(next.chunk);
    }
    if (!to.writableNeedDrain && bytes <= MOST_BYTES) from.resume();
  };
  const hand = (chunk: Buffer | null): void => {
    if (chunk === null) return void to.end();
    bytes -= chunk.length;
    if (!to.destroyed && !to.write(chunk)) from.pause();
  };

  from.on('data', add);
  from.on('end', () => add(null));
  to.on('drain', look);
  to.on('close', () => {
    clearTimeout(timer);
    underWay.length = 0;
  });
  return { look, isEmpty: () => underWay.length === 0 };
}
