import { exchange, open, spell } from './load.ts';
import type { Stage } from './stage.ts';
import { median } from './statistics.ts';
import { slowDown } from './work.ts';

const TRIED_CALLS = 20;

/**
 * Sets the store's delay so that a bare caller waits this many milliseconds, rounded to a whole one. The delay itself is
 * shorter: the store's timer and its own work take part of the time.
 */
export async function slowTo(stage: Stage, type: string, milliseconds: number): Promise<void> {
  await slowDown(stage, type, milliseconds);
  const excess = (await timeBareCall(stage, type)) - milliseconds;
  await stage.fakes.calm(type);
  await slowDown(stage, type, milliseconds - Math.round(excess));
}

/** Milliseconds of a call to a fake. It refuses the call, which takes as long as any other. */
export async function timeBareCall(stage: Stage, type: string): Promise<number> {
  const { hostname, port } = new URL(stage.fakes.addresses[type]?.url ?? '');
  const socket = await open(hostname, Number(port));
  const path = '/secrets/none?api-version=7.4';
  const request = spell({ method: 'PUT', path, headers: {}, body: '{}' }, hostname);
  const times: number[] = [];
  for (let call = 0; call < TRIED_CALLS; call += 1) {
    const begun = performance.now();
    await exchange(socket, request);
    times.push(performance.now() - begun);
  }
  socket.destroy();
  return median(times);
}
