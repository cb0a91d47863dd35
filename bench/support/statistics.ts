/** The value below which the given share of the sample lies (0 to 1), by nearest rank; NaN for an empty sample. */
export function percentile(sample: number[], share: number): number {
  const sorted = sample.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The middle of a sample, that of the two middle ones where there are two. */
export function median(sample: number[]): number {
  const sorted = sample.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** Milliseconds since the epoch with fractions, so that processes of one machine can be compared. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}
