import { CAPABILITIES, type Capability, type Rule } from '../policy.ts';

/** All rules for one pattern, and how specific the pattern is. */
export type Entry = { pattern: string; rules: Rule[]; rank: Rank };

/** Compared from left to right; the larger one is more specific. */
type Rank = [firstWildcard: number, isExact: number, fewerPluses: number, length: number];

/**
 * One segment of the patterns, with what follows it. A path is matched segment by segment, so the cost is that of the
 * patterns that agree with it so far, and not of all patterns.
 */
export type PatternBranch = {
  byName: Map<string, PatternBranch>;
  /** What follows the segment `+`. */
  plus?: PatternBranch;
  /** The pattern that ends here. */
  end?: Entry;
  /** The patterns whose last segment begins with a text: `text*`. */
  prefixes?: { byText: Map<string, Entry>; longestFirst: number[] };
  /** What any rule of this branch or below it gives, as bits. */
  given: number;
};

// A wildcard is a segment `+`, or a `*` at the end. Elsewhere both are ordinary characters of a name.
const WILDCARD = /(?<=^|\/)\+(?=\/|$)|\*$/;

/** A tree without patterns. */
export function newBranch(): PatternBranch {
  return { byName: new Map(), given: 0 };
}

/** Adds a rule to the tree of `root`, in a time that depends on its own pattern only. Rules with one pattern add up. */
export function addRule(root: PatternBranch, written: string, rule: Rule): void {
  const pattern = written.replace(/^\//, '');
  const isPrefix = pattern.endsWith('*');
  const segments = (isPrefix ? pattern.slice(0, -1) : pattern).split('/');
  const last = isPrefix ? segments.pop() : undefined;
  const given = bitsOf([rule]);
  let branch = root;
  branch.given |= given;
  for (const segment of segments) {
    branch = segment === '+' ? (branch.plus ??= newBranch()) : childOf(branch, segment);
    branch.given |= given;
  }
  const entry = last === undefined ? (branch.end ??= newEntry(pattern)) : prefixIn(branch, last, pattern);
  entry.rules.push(rule);
}

/** The capabilities that rules give, as bits. A rule that denies gives nothing. */
export function bitsOf(rules: Rule[]): number {
  let bits = 0;
  for (const { capabilities } of rules) {
    if (capabilities.includes('deny')) continue;
    for (const capability of capabilities) bits |= 1 << CAPABILITIES.indexOf(capability);
  }
  return bits;
}

/** The capabilities of bits. */
export function capabilitiesIn(bits: number): Capability[] {
  return CAPABILITIES.filter((_, index) => (bits & (1 << index)) !== 0);
}

/**
 * Positive if the left pattern is more specific: its first wildcard is further right, then it has no `*` at the end, then
 * it has fewer `+`, then it is longer. Among equals, the later one in character order wins. `+` sorts before every letter
 * and digit, so that is the pattern whose next wildcard is further right. 0 only for the same pattern.
 */
export function compareSpecificity(left: Entry, right: Entry): number {
  for (let index = 0; index < left.rank.length; index += 1) {
    const difference = (left.rank[index] ?? 0) - (right.rank[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.pattern === right.pattern ? 0 : left.pattern > right.pattern ? 1 : -1;
}

function rankOf(pattern: string): Rank {
  const wildcard = pattern.search(WILDCARD);
  return [
    wildcard === -1 ? Number.MAX_SAFE_INTEGER : wildcard,
    pattern.endsWith('*') ? 0 : 1,
    -pattern.split('/').filter((segment) => segment === '+').length,
    pattern.length,
  ];
}

function newEntry(pattern: string): Entry {
  return { pattern, rules: [], rank: rankOf(pattern) };
}

function prefixIn(branch: PatternBranch, text: string, pattern: string): Entry {
  branch.prefixes ??= { byText: new Map(), longestFirst: [] };
  const { byText, longestFirst } = branch.prefixes;
  const known = byText.get(text);
  if (known) return known;
  const entry = newEntry(pattern);
  byText.set(text, entry);
  if (!longestFirst.includes(text.length)) {
    longestFirst.push(text.length);
    longestFirst.sort((left, right) => right - left);
  }
  return entry;
}

function childOf(branch: PatternBranch, segment: string): PatternBranch {
  const known = branch.byName.get(segment);
  if (known) return known;
  const child = newBranch();
  branch.byName.set(segment, child);
  return child;
}
