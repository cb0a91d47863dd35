import { mergeRules } from '../../../services/api/access/merge-rules.ts';
import type { Capability, PolicyDocument, Rule } from '../../../services/api/access/policy.ts';

const WILDCARD = /(?<=^|\/)\+(?=\/|$)|\*$/;

/** What docs/policies.md says, word for word: every pattern is tried on every path. */
export function naiveRuleOn(policies: PolicyDocument[], aliases: string[]): Rule | undefined {
  let best: { pattern: string; rules: Rule[] } | undefined;
  for (const policy of policies) {
    for (const [written, rule] of Object.entries(policy.path)) {
      const pattern = written.replace(/^\//, '');
      if (!aliases.some((path) => matches(pattern, path))) continue;
      const order = best ? compareSpecificity(pattern, best.pattern) : 1;
      if (order > 0) best = { pattern, rules: [rule] };
      else if (order === 0) best?.rules.push(rule);
    }
  }
  return best && mergeRules(best.rules);
}

/** The capabilities that any rule gives on a path itself or below it. */
export function naiveCapabilitiesInto(policies: PolicyDocument[], folder: string): Set<Capability> {
  const segments = folder.split('/');
  const given = policies.flatMap((policy) =>
    Object.entries(policy.path)
      .filter(([pattern]) => touches(pattern.replace(/^\//, ''), segments))
      .flatMap(([, rule]) => (rule.capabilities.includes('deny') ? [] : rule.capabilities)),
  );
  return new Set(given);
}

function matches(pattern: string, path: string): boolean {
  const isPrefix = pattern.endsWith('*');
  const wanted = (isPrefix ? pattern.slice(0, -1) : pattern).split('/');
  const given = path.split('/');
  if (isPrefix ? given.length < wanted.length : given.length !== wanted.length) return false;
  return wanted.every((segment, index) => {
    const actual = given[index] ?? '';
    if (isPrefix && index === wanted.length - 1) return actual.startsWith(segment);
    return segment === '+' ? actual !== '' : segment === actual;
  });
}

function touches(pattern: string, folder: string[]): boolean {
  const isPrefix = pattern.endsWith('*');
  const wanted = (isPrefix ? pattern.slice(0, -1) : pattern).split('/');
  for (const [index, actual] of folder.entries()) {
    const segment = wanted[index];
    if (segment === undefined) return false;
    if (isPrefix && index === wanted.length - 1) return actual.startsWith(segment);
    if (segment !== '+' && segment !== actual) return false;
  }
  return true;
}

// A pattern is more specific if its first wildcard is further right, then if it has no `*` at the end, then if it has
// fewer `+`, then if it is longer. Among equals, the later one in character order wins. `+` sorts before every letter
// and digit, so that is the pattern whose next wildcard is further right.
function compareSpecificity(left: string, right: string): number {
  const keys = [left, right].map((pattern) => {
    const wildcard = pattern.search(WILDCARD);
    return [
      wildcard === -1 ? Number.MAX_SAFE_INTEGER : wildcard,
      pattern.endsWith('*') ? 0 : 1,
      -pattern.split('/').filter((segment) => segment === '+').length,
      pattern.length,
    ];
  });
  for (let index = 0; index < 4; index += 1) {
    const difference = (keys[0]?.[index] ?? 0) - (keys[1]?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left === right ? 0 : left > right ? 1 : -1;
}
