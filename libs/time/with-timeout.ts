/** A promise took longer than its limit. */
export class TimedOutError extends Error {}

/** The result of a promise. Throws TimedOutError if it takes longer; a late result or error is dropped. */
export async function withTimeout<Result>(
  milliseconds: number,
  promise: Promise<Result> | Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    // The error is created here, not earlier: it records a stack, which takes longer than most of these promises.
    timer = setTimeout(() => reject(new TimedOutError('timed out')), milliseconds);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
