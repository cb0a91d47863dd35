import { counted } from '../collections/counted.ts';

const UNITS: [unit: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Seconds in larger units, such as "14 days" or "1 hour 30 minutes"; empty if they make no whole minutes. */
export function describeDuration(seconds: number): string {
  if (!Number.isSafeInteger(seconds) || seconds < 60 || seconds % 60 !== 0) return '';
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? [] : [counted(count, unit)];
  });
  return parts.join(' ');
}
