/** The result of a promise, unless it takes longer: then it throws, and what the promise comes to is nobody's. */
export async function within<Result>(
  milliseconds: number,
  promise: Promise<Result> | Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    // Made only where it is thrown: an error writes down where it came from, which takes longer than most promises here.
    timer = setTimeout(() => reject(new Error('not in time')), milliseconds);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
