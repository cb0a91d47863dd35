// Long, because a passing test never uses it up: it must be enough for a busy machine. Shorter than RECHECK_MIN, after which a
// failure that somebody has mended would be seen without being told.
const LIMIT_MS = 45_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 200;

/**
 * Waits until `probe` neither throws nor returns false or undefined; gives up after `limitMs` with the last reason. It looks
 * every `everyMs`; absent: first after 20 ms, then ever more rarely, up to 200 ms, because most probes cost a request.
 */
export async function eventually<Result>(
  probe: () => Promise<Result> | Result,
  options: { limitMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const end = Date.now() + (options.limitMs ?? LIMIT_MS);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.2, LONGEST_PAUSE_MS)) {
    let reason: unknown = new Error('the condition did not come true in time');
    try {
      const result = await probe();
      if (result !== false && result !== undefined) return result;
    } catch (error) {
      reason = error;
    }
    if (Date.now() > end) throw reason;
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? pauseMs));
  }
}
