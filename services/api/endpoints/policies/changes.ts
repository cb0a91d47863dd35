import type { PolicyDocument, Rule } from '../../access/policy.ts';

// A policy may have thousands of rules, and the audit trail has an entry for each change.
const MOST = 50;

/**
 * What a change does to the rules of a policy, by path, with the capabilities; at most 50 rules of each kind, and `more`
 * counts the rest. Values of parameters are left out.
 */
export function describePolicyChange(
  before: PolicyDocument | undefined,
  after: PolicyDocument | undefined,
): Record<string, unknown> {
  const old = before?.path ?? {};
  const next = after?.path ?? {};
  const added = Object.keys(next).filter((path) => !Object.hasOwn(old, path));
  const removed = Object.keys(old).filter((path) => !Object.hasOwn(next, path));
  const changed = Object.keys(next).filter(
    (path) => Object.hasOwn(old, path) && textOf(old[path]) !== textOf(next[path]),
  );
  const count = Math.max(added.length, removed.length, changed.length);
  return {
    ...some('added', added, (path) => show(next[path])),
    ...some('removed', removed, (path) => show(old[path])),
    ...some('changed', changed, (path) => `${show(old[path])} -> ${show(next[path])}`),
    ...(count > MOST ? { more: count - MOST } : {}),
  };
}

function some(kind: string, paths: string[], present: (path: string) => string): object {
  if (paths.length === 0) return {};
  return { [kind]: Object.fromEntries(paths.slice(0, MOST).map((path) => [path, present(path)])) };
}

// Postgres stores keys of an object in an order of its own.
function textOf(rule: Rule | undefined): string {
  return JSON.stringify(rule, (_key, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
}

function show(rule: Rule | undefined): string {
  const { capabilities = [], ...conditions } = rule ?? {};
  const names = Object.keys(conditions);
  return [...capabilities, ...(names.length > 0 ? [`with ${names.join(', ')}`] : [])].join(', ');
}
