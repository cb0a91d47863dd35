/** Waits until `probe` neither throws nor returns false or undefined; gives up after `limitMs` with the last reason. */
export async function eventually<Result>(
  probe: () => Promise<Result> | Result,
  options: { limitMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const end = Date.now() + (options.limitMs ?? 10_000);
  for (;;) {
    let reason: unknown = new Error('the condition did not come true in time');
    try {
      const result = await probe();
      if (result !== false && result !== undefined) return result;
    } catch (error) {
      reason = error;
    }
    if (Date.now() > end) throw reason;
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 20));
  }
}
