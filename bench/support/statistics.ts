/** Nearest-rank percentile: the value that the given share (0 to 1) of the sample does not exceed; NaN if it is empty. */
export function percentile(sample: number[], share: number): number {
  const sorted = sample.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The median; for an even number of values, the mean of the two in the middle. */
export function median(sample: number[]): number {
  const sorted = sample.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** Milliseconds since the epoch, with fractions, so that times of several processes of one machine can be compared. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
