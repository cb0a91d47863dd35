import type { ParameterValues, Rule } from './policy.ts';

/**
 * Merges several rules for the same pattern. Capabilities and values add up. An empty list of values wins over a longer
 * one, and `deny` wins over everything. Of several limits for a wrapping time, the smallest counts.
 */
export function mergeRules(rules: Rule[]): Rule {
  const capabilities = [...new Set(rules.flatMap((rule) => rule.capabilities))];
  if (capabilities.includes('deny')) return { capabilities: ['deny'] };
  const required = [...new Set(rules.flatMap((rule) => rule.required_parameters ?? []))];
  const eventTypes = [...new Set(rules.flatMap((rule) => rule.subscribe_event_types ?? []))];
  const allowed = mergeValues(rules.map((rule) => rule.allowed_parameters));
  const denied = mergeValues(rules.map((rule) => rule.denied_parameters));
  const shortest = smallest(rules.map((rule) => rule.min_wrapping_ttl));
  const longest = smallest(rules.map((rule) => rule.max_wrapping_ttl));
  return {
    capabilities,
    ...(required.length > 0 ? { required_parameters: required } : {}),
    ...(allowed ? { allowed_parameters: allowed } : {}),
    ...(denied ? { denied_parameters: denied } : {}),
    ...(shortest < Infinity ? { min_wrapping_ttl: shortest } : {}),
    ...(longest < Infinity ? { max_wrapping_ttl: longest } : {}),
    ...(eventTypes.length > 0 ? { subscribe_event_types: eventTypes } : {}),
  };
}

function mergeValues(several: (ParameterValues | undefined)[]): ParameterValues | undefined {
  // A Map instead of an object, because a parameter may be called `__proto__`.
  const merged = new Map<string, unknown[]>();
  for (const [name, values] of several.flatMap((one) => Object.entries(one ?? {}))) {
    const known = merged.get(name);
    if (!known) merged.set(name, [...values]);
    else if (known.length === 0 || values.length === 0) merged.set(name, []);
    else for (const value of values) known.push(value);
  }
  return merged.size > 0 ? Object.fromEntries(merged) : undefined;
}

function smallest(numbers: (number | undefined)[]): number {
  return numbers.reduce<number>((least, number = Infinity) => Math.min(least, number), Infinity);
}
