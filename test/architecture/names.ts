import type { Source } from './sources.ts';

// Programs that nobody imports: each connector and the console. A name of one may be in another as well, but not in what it
// can import itself.
const ISLAND = /^services\/(connectors\/[^/]+|console)\//;
const SEEN_BY = {
  connector:
    /^libs\/(?:batching|collections|config|connector|egress|errors|log|metrics|telling|time|tracing|validation)\//,
  console: /^(?:services\/api\/contract|libs\/telling)\//,
};

/** One sentence for each exported name that two files of libs and services declare, where a reader can meet both. */
export function findRepeatedNames(sources: Source[]): string[] {
  const byName = new Map<string, string[]>();
  for (const { path, exports } of sources) {
    if (!/^(?:libs|services)\//.test(path)) continue;
    for (const name of exports) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return [...byName].flatMap(([name, paths]) => {
    const met = paths.filter((path, position) =>
      paths.some((other, index) => index !== position && canMeet(path, other)),
    );
    return met.length === 0 ? [] : [`${name} is exported by ${met.join(' and ')}`];
  });
}

function canMeet(one: string, other: string): boolean {
  const [ours, theirs] = [islandOf(one), islandOf(other)];
  if (ours === theirs) return true;
  if (ours !== '' && theirs !== '') return false;
  const [island, path] = ours === '' ? [theirs, one] : [ours, other];
  return SEEN_BY[island === 'console' ? 'console' : 'connector'].test(path);
}

function islandOf(path: string): string {
  return ISLAND.exec(path)?.[1] ?? '';
}
