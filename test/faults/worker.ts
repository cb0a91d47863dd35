import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../../libs/config/config.ts';
import type { Step } from '../../libs/sync/push/call.ts';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { runService } from '../../libs/service/run-service.ts';
import { kindOf } from './kinds.ts';

// A connector worker that can be told to die at a step of a push, by FAULT_STEP, at the FAULT_NTH time it is there or,
// without that, with the chance FAULT_CHANCE; to freeze there instead (FAULT_SIGNAL=SIGSTOP); to dawdle there
// (FAULT_PAUSE, milliseconds); and whose clock is wrong by CLOCK_SKEW_MS until its parent tells it another skew.
const clock = { skewMs: Number(readEnvironment('CLOCK_SKEW_MS') ?? 0) };
skewClock();
process.on('message', ({ skewMs }: { skewMs: number }) => {
  clock.skewMs = skewMs;
  process.send?.({ now: Date.now() });
});
// Being told something must not keep a process alive that is to end.
process.channel?.unref();
const kind = await kindOf(readEnvironment('FAULT_TYPE') ?? 'cloud1-sm').load();
await runService(`connector-${kind.destination.type}`, (context) =>
  startConnectorWorker(context, kind, { step: createStep() }),
);

function createStep(): (step: Step) => Promise<void> {
  const wanted = readEnvironment('FAULT_STEP');
  const nth = Number(readEnvironment('FAULT_NTH') ?? 0);
  const chance = Number(readEnvironment('FAULT_CHANCE') ?? 0);
  const signal = readEnvironment('FAULT_SIGNAL') === 'SIGSTOP' ? 'SIGSTOP' : 'SIGKILL';
  const pauseMs = Number(readEnvironment('FAULT_PAUSE') ?? 0);
  let passed = 0;
  return async (step) => {
    if (wanted !== 'any' && step !== wanted) return;
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
