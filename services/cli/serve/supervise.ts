import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from '../../../libs/config/config.ts';
import type { Log } from '../../../libs/log/log.ts';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../../libs/service/runtime.ts';
import { exitCodes } from '../exit-codes.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const STEADY_MS = 60_000;
const GRACE_MS = 5000;

/** One process to run: the arguments after `sealift serve`, and changes to its environment. */
export type Part = { words: string[]; environment: Record<string, string> };

/**
 * Runs every part as its own process, so that none can harm another, and restarts a part that ends by itself. Resolves
 * with an exit code after `stop` was aborted and all parts have ended. If the configuration of a part cannot be used, all
 * parts end. A part that does not stop within `limitMs` plus 5 s is killed.
 */
export async function supervise(
  parts: Part[],
  { log, limitMs, stop }: { log: Log; limitMs: number; stop: AbortController },
): Promise<number> {
  const codes = await Promise.all(parts.map((part) => keepRunning(part, { log, limitMs, stop })));
  return codes.find((code) => code !== exitCodes.ok) ?? exitCodes.ok;
}

async function keepRunning(
  part: Part,
  options: { log: Log; limitMs: number; stop: AbortController },
): Promise<number> {
  const { log, limitMs, stop } = options;
  const name = part.words.join(' ');
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (stop.signal.aborted) return exitCodes.ok;
    const started = performance.now();
    const code = await runOnce(part, { limitMs, stop: stop.signal });
    if (stop.signal.aborted) return code;
    if (code === exitCodes.configuration || code === exitCodes.usage || code === exitCodes.notFound) {
      stop.abort();
      return code;
    }
    if (performance.now() - started > STEADY_MS) pause = FIRST_PAUSE_MS;
    log.warn({ process: name, code, pauseMs: pause }, 'a process has ended and is started again');
    await sleep(pause, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}

// The child notices by the channel that this process is gone, however it ended.
function runOnce(part: Part, { limitMs, stop }: { limitMs: number; stop: AbortSignal }): Promise<number> {
  return new Promise((resolve) => {
    // This program itself.
    const child = fork(process.argv[1] ?? '', ['serve', ...part.words, '--part'], {
      execArgv: [...process.execArgv, ...NODE_FLAGS],
      env: { ...NODE_ENVIRONMENT, ...childEnvironment(part.environment) },
      stdio: 'inherit',
    });
    let killing: NodeJS.Timeout | undefined;
    const end = (): void => {
      child.kill('SIGTERM');
      killing = setTimeout(() => child.kill('SIGKILL'), limitMs + GRACE_MS);
    };
    stop.addEventListener('abort', end, { once: true });
    const settle = (code: number): void => {
      stop.removeEventListener('abort', end);
      clearTimeout(killing);
      resolve(code);
    };
    child.once('error', () => settle(exitCodes.failed));
    child.once('exit', (code) => settle(code ?? exitCodes.failed));
  });
}
