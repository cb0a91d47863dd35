import { mapInSlices } from '../../../../libs/time/slices.ts';
import { BUILT_IN_POLICIES, type PolicyDocument, type Rule } from '../policy.ts';
import { canonicalPattern } from '../path-aliases.ts';
import { addRule, newBranch, type PatternBranch } from './rule-index.ts';

/** A policy as requests are held against it. It never changes, so callers share it. */
export type CompiledPolicy = {
  rules: PatternBranch;
  /** The same with canonical names in the patterns. */
  canonical: PatternBranch;
  /** How many rules, names and values of parameters it has. */
  size: number;
};

/** Compiles a policy, in a time that is linear in its text. A large one is compiled in slices. */
export async function compilePolicy(document: PolicyDocument): Promise<CompiledPolicy> {
  const compiled = newPolicy();
  await mapInSlices(Object.entries(document.path), ([pattern, rule]) => add(compiled, pattern, rule));
  return compiled;
}

/** The built-in policies by name. */
export const COMPILED_BUILT_IN = new Map(
  Object.entries(BUILT_IN_POLICIES).map(([name, document]) => {
    const compiled = newPolicy();
    for (const [pattern, rule] of Object.entries(document.path)) add(compiled, pattern, rule);
    return [name, compiled];
  }),
);

/** How many names and values of parameters, and types of events, a rule has. */
export function parametersIn({
  required_parameters: required,
  subscribe_event_types: types,
  ...rule
}: Rule): number {
  const values = [rule.allowed_parameters, rule.denied_parameters].flatMap((parameters) =>
    Object.values(parameters ?? {}),
  );
  return (
    (required?.length ?? 0) +
    (types?.length ?? 0) +
    values.reduce((sum, listed) => sum + 1 + listed.length, 0)
  );
}

function newPolicy(): CompiledPolicy {
  return { rules: newBranch(), canonical: newBranch(), size: 0 };
}

function add(compiled: CompiledPolicy, pattern: string, rule: Rule): void {
  addRule(compiled.rules, pattern, rule);
  addRule(compiled.canonical, canonicalPattern(pattern), rule);
  compiled.size += 1 + parametersIn(rule);
}
