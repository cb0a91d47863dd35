import { mergeRules } from '../merge-rules.ts';
import type { Capability, Rule } from '../policy.ts';
import { bitsOf, capabilitiesIn, compareSpecificity, type PatternBranch, type Entry } from './rule-index.ts';

/**
 * The rule that a set of policies has for a path, given with all its aliases. The most specific of the matching
 * patterns decides. If several policies have that pattern, their rules are merged. Undefined if no pattern matches.
 */
export function ruleOn(policies: PatternBranch[], aliases: string[]): Rule | undefined {
  const split = aliases.map((alias) => alias.split('/'));
  let best: Set<Entry> | undefined;
  let [bestOne] = [] as Entry[];
  const offer = (entry: Entry): void => {
    const order = bestOne ? compareSpecificity(entry, bestOne) : 1;
    if (order > 0) {
      bestOne = entry;
      best = new Set([entry]);
    } else if (order === 0) best?.add(entry);
  };
  for (const policy of policies) {
    for (const segments of split) visitMatches(policy, segments, 0, offer);
  }
  return best && mergeRules([...best].flatMap((entry) => entry.rules));
}

/** The capabilities that any rule gives on a path itself or below it. */
export function capabilitiesInto(policies: PatternBranch[], folder: string): Set<Capability> {
  const segments = folder.split('/');
  const bits = policies.reduce((sum, policy) => sum | bitsInto(policy, segments, 0), 0);
  return new Set(capabilitiesIn(bits));
}

/**
 * Where rules lead to directly below a folder: names that they write out, of folders and of things, and beginnings of
 * names; an empty one is any name. A segment `+` leads to no name.
 */
export type Ways = { folders: Set<string>; things: Set<string>; beginnings: Set<string> };

/** Adds where the rules of policies lead to directly below a folder. */
export function addWays(ways: Ways, policies: PatternBranch[], folder: string): void {
  const segments = folder.split('/');
  for (const policy of policies) addWaysOf(ways, policy, segments, 0);
}

function addWaysOf(ways: Ways, branch: PatternBranch, folder: string[], depth: number): void {
  const segment = folder[depth];
  if (segment === undefined) {
    for (const [text, { rules }] of branch.prefixes?.byText ?? [])
      if (bitsOf(rules) !== 0) ways.beginnings.add(text);
    for (const [name, next] of branch.byName) {
      if (name === '' || next.given === 0) continue;
      if (next.byName.size > 0 || next.plus || next.prefixes) ways.folders.add(name);
      if (next.end) ways.things.add(name);
    }
    return;
  }
  for (const { rules } of prefixesOf(branch, segment)) if (bitsOf(rules) !== 0) ways.beginnings.add('');
  const named = branch.byName.get(segment);
  if (named) addWaysOf(ways, named, folder, depth + 1);
  if (branch.plus) addWaysOf(ways, branch.plus, folder, depth + 1);
}

function visitMatches(
  branch: PatternBranch,
  path: string[],
  depth: number,
  offer: (entry: Entry) => void,
): void {
  const segment = path[depth];
  if (segment === undefined) {
    if (branch.end) offer(branch.end);
    return;
  }
  // Of several prefixes that fit here, the longest is the most specific.
  const [prefix] = prefixesOf(branch, segment);
  if (prefix) offer(prefix);
  const named = branch.byName.get(segment);
  if (named) visitMatches(named, path, depth + 1, offer);
  if (branch.plus && segment !== '') visitMatches(branch.plus, path, depth + 1, offer);
}

// A prefix decides at the segment that it is in: it also covers everything below that segment.
function bitsInto(branch: PatternBranch, folder: string[], depth: number): number {
  const segment = folder[depth];
  if (segment === undefined) return branch.given;
  let bits = 0;
  for (const entry of prefixesOf(branch, segment)) bits |= bitsOf(entry.rules);
  const named = branch.byName.get(segment);
  if (named) bits |= bitsInto(named, folder, depth + 1);
  if (branch.plus) bits |= bitsInto(branch.plus, folder, depth + 1);
  return bits;
}

function* prefixesOf({ prefixes }: PatternBranch, segment: string): Generator<Entry> {
  for (const length of prefixes?.longestFirst ?? []) {
    const entry = length <= segment.length && prefixes?.byText.get(segment.slice(0, length));
    if (entry) yield entry;
  }
}
