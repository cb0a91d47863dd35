/** The environments that a destination may name. In rows, a custom environment of Vercel appears by its id. */
export const ENVIRONMENTS = ['development', 'preview', 'production'] as const;

/** One text for one set, in any order: `preview+production`. */
export function joinEnvironments(environments: readonly string[]): string {
  return [...new Set(environments)].toSorted().join('+');
}

export function areSame(left: readonly string[], right: readonly string[]): boolean {
  return joinEnvironments(left) === joinEnvironments(right);
}

export function areWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((environment) => all.includes(environment));
}

export function overlap(left: readonly string[], right: readonly string[]): boolean {
  return left.some((environment) => right.includes(environment));
}

/**
 * What the ledger keeps of a row: its id, and the environments that it was written for. With these we see a later change
 * of the destination's environments without a call.
 */
export type Reference = { id: string; environments: string[] };

/** `Ab12/preview+production`. */
export function writeReference({ id, environments }: Reference): string {
  return `${id}/${joinEnvironments(environments)}`;
}

/** Reads a reference; null if nothing is kept. */
export function readReference(text: string | null): Reference | null {
  if (!text) return null;
  const [id = '', environments = ''] = text.split('/');
  return { id, environments: environments === '' ? [] : environments.split('+') };
}

/** The owner of a row, and the environments that it was written for. */
export type Mark = { installation: string; environments: string[] };

/** The comment of a row that we write. The environments tell two destinations of one project apart. */
export function writeMark({ installation, environments }: Mark): string {
  return `sealift ${installation} ${joinEnvironments(environments)}`;
}

/** Reads our mark in a comment; null if there is none. Ignores text that a person added after the mark. */
export function readMark(comment: string): Mark | null {
  const [, installation, environments] = /^sealift (\S{1,100}) ([a-z+]{1,100})(?:\s|$)/.exec(comment) ?? [];
  if (installation === undefined || environments === undefined) return null;
  return { installation, environments: environments.split('+') };
}
