import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { Granularity } from './contract.ts';

/** One value to write, and the key that it comes from (empty: the whole secret). */
export type SourceValue = { subKey: string; value: string };

/** The values that a secret's JSON becomes outside: one entry, or one for each top-level key. Numbers keep every digit. */
export function sourceValues(json: string, granularity: Granularity): SourceValue[] {
  if (granularity === 'secret-path') return [{ subKey: '', value: json }];
  const data = parse(json);
  if (typeof data !== 'object' || data === null || isLosslessNumber(data)) return [];
  return Object.entries(data).map(([subKey, value]) => ({
    subKey,
    value: typeof value === 'string' ? value : (stringify(value) ?? 'null'),
  }));
}
