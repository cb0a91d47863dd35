import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../../libs/config/config.ts';
import type { Checkpoint } from '../../libs/sync/order.ts';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { runService } from '../../libs/service/run-service.ts';
import { kindOf } from './kinds.ts';

// A connector worker that dies at the checkpoint of a push that FAULT_CHECKPOINT names: at the FAULT_NTH time, or with the
// probability FAULT_CHANCE. With FAULT_SIGNAL=SIGSTOP it freezes there instead, with FAULT_PAUSE it waits there (milliseconds). Its
// clock is wrong by CLOCK_SKEW_MS, until its parent sends another skew.
const clock = { skewMs: Number(readEnvironment('CLOCK_SKEW_MS') ?? 0) };
skewClock();
process.on('message', ({ skewMs }: { skewMs: number }) => {
  clock.skewMs = skewMs;
  process.send?.({ now: Date.now() });
});
// The message channel must not keep a process alive that should end.
process.channel?.unref();
const kind = await kindOf(readEnvironment('FAULT_TYPE') ?? 'cloud1-sm').load();
await runService(`connector-${kind.destination.type}`, (context) =>
  startConnectorWorker(context, kind, { checkpoint: createCheckpoint() }),
);

function createCheckpoint(): (checkpoint: Checkpoint) => Promise<void> {
  const wanted = readEnvironment('FAULT_CHECKPOINT');
  const nth = Number(readEnvironment('FAULT_NTH') ?? 0);
  const chance = Number(readEnvironment('FAULT_CHANCE') ?? 0);
  const signal = readEnvironment('FAULT_SIGNAL') === 'SIGSTOP' ? 'SIGSTOP' : 'SIGKILL';
  const pauseMs = Number(readEnvironment('FAULT_PAUSE') ?? 0);
  let passed = 0;
  return async (checkpoint) => {
    if (wanted !== 'any' && checkpoint !== wanted) return;
    passed += 1;
    if (passed === nth || Math.random() < chance) {
      process.kill(process.pid, signal);
      if (signal === 'SIGKILL') await sleep(60_000);
    }
    if (pauseMs > 0) await sleep(pauseMs);
  };
}

function skewClock(): void {
  const Right = Date;
  globalThis.Date = new Proxy(Right, {
    construct: (target, given: unknown[]): Date =>
      given.length === 0 ? new target(target.now() + clock.skewMs) : Reflect.construct(target, given),
    get: (target, name, receiver): unknown =>
      name === 'now' ? () => target.now() + clock.skewMs : Reflect.get(target, name, receiver),
  });
}
