/** The environments a destination may name; a custom environment of the vendor appears in rows by its id. */
export const ENVIRONMENTS = ['development', 'preview', 'production'] as const;

/** One name for one set, whatever the order: `preview+production`. */
export function spellEnvironments(environments: readonly string[]): string {
  return [...new Set(environments)].toSorted().join('+');
}

export function areSame(left: readonly string[], right: readonly string[]): boolean {
  return spellEnvironments(left) === spellEnvironments(right);
}

export function areWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((environment) => all.includes(environment));
}

export function overlap(left: readonly string[], right: readonly string[]): boolean {
  return left.some((environment) => right.includes(environment));
}
