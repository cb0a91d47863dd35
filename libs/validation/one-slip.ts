/** Whether one name is another with one letter more, less or other, or two neighbours exchanged. Case and underscores do not count. */
export function isOneSlip(given: string, meant: string): boolean {
  const [left, right] = [given, meant].map((name) => name.toUpperCase().replaceAll('_', ''));
  if (left === undefined || right === undefined || Math.abs(left.length - right.length) > 1) return false;
  let begin = 0;
  while (begin < right.length && left[begin] === right[begin]) begin += 1;
  const [a, b] = [left.slice(begin), right.slice(begin)];
  if (a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)) return true;
  return a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}
