/** The result of a promise, unless it takes longer: then it throws, and what the promise comes to is nobody's. */
export async function within<Result>(
  milliseconds: number,
  promise: Promise<Result> | Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, milliseconds, new Error('not in time'));
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
