import { sha256 } from '../../../../libs/validation/told.ts';
import type { Capability, PolicyDocument, Rule } from '../../access/policy.ts';

// A policy may have thousands of rules, and the audit trail has an entry for each change.
const MOST = 50;
const WEIGHTS: Capability[] = ['sudo', 'delete', 'update', 'create', 'patch', 'read', 'list', 'subscribe'];

type Options = {
  /** The whole new text. */
  source?: string;
  /** A keyed fingerprint of values. */
  print: (value: string) => string;
};

/**
 * What a change does to the rules of a policy, by path, with the capabilities; at most 50 rules of each kind, those that
 * give most first, and `more` counts the rest. `sha256` proves which text the policy has now. Values of parameters
 * appear as a fingerprint.
 */
export function describePolicyChange(
  before: PolicyDocument | undefined,
  after: PolicyDocument | undefined,
  { source, print }: Options,
): Record<string, unknown> {
  const old = before?.path ?? {};
  const next = after?.path ?? {};
  const added = Object.keys(next).filter((path) => !Object.hasOwn(old, path));
  const removed = Object.keys(old).filter((path) => !Object.hasOwn(next, path));
  const changed = Object.keys(next).filter(
    (path) => Object.hasOwn(old, path) && textOf(old[path]) !== textOf(next[path]),
  );
  const more = [added, removed, changed].reduce((sum, paths) => sum + Math.max(0, paths.length - MOST), 0);
  const show = (rule: Rule | undefined) => describe(rule, print);
  return {
    ...some('added', heaviest(added, next), (path) => show(next[path])),
    ...some('removed', heaviest(removed, old), (path) => show(old[path])),
    ...some('changed', heaviest(changed, next), (path) => `${show(old[path])} -> ${show(next[path])}`),
    ...(more > 0 ? { more } : {}),
    ...(source === undefined ? {} : { sha256: sha256(source) }),
  };
}

function some(kind: string, paths: string[], present: (path: string) => string): object {
  if (paths.length === 0) return {};
  return { [kind]: Object.fromEntries(paths.map((path) => [path, present(path)])) };
}

// So that no number of harmless rules hides one that matters.
function heaviest(paths: string[], rules: PolicyDocument['path']): string[] {
  const weighed = paths.map((path) => ({ path, weight: weightOf(path, rules[path]) }));
  return weighed
    .toSorted((left, right) => right.weight - left.weight || left.path.length - right.path.length)
    .slice(0, MOST)
    .map(({ path }) => path);
}

function weightOf(path: string, { capabilities = [] }: Partial<Rule> = {}): number {
  if (capabilities.includes('deny')) return 0;
  const best = WEIGHTS.findIndex((capability) => capabilities.includes(capability));
  const power = best === -1 ? 0 : WEIGHTS.length - best;
  // What lies below these paths gives rights.
  const isRootLike = /^(?:\*|\+|sys|auth|api)/.test(path) ? 1 : 0;
  const isSudo = capabilities.includes('sudo') ? 1 : 0;
  const isGlob = /[*+]/.test(path) ? 1 : 0;
  return isSudo * 1000 + isRootLike * 100 + isGlob * 10 + power;
}

// Postgres stores keys of an object in an order of its own.
function textOf(rule: unknown): string {
  return JSON.stringify(rule, (_key, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : value,
  );
}

function describe(rule: Rule | undefined, print: (value: string) => string): string {
  const { capabilities = [], ...conditions } = rule ?? {};
  const names = Object.entries(conditions).map(
    ([name, value]) => `${name} (fingerprint:${print(textOf(value))})`,
  );
  return [...capabilities, ...(names.length > 0 ? [`with ${names.join(', ')}`] : [])].join(', ');
}
