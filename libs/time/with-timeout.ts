/** The result of a promise. Throws where it takes longer; the late result, or the late error, is dropped. */
export async function withTimeout<Result>(
  milliseconds: number,
  promise: Promise<Result> | Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    // The error is made in the callback: it records a stack, which takes longer than most promises here.
    timer = setTimeout(() => reject(new Error('not in time')), milliseconds);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
