/** The environments that a destination may name. In rows, a custom environment of Vercel appears by its id. */
export const ENVIRONMENTS = ['development', 'preview', 'production'] as const;

/** What Vercel and the form call them. */
export const ENVIRONMENT_LABELS: Record<(typeof ENVIRONMENTS)[number], string> = {
  production: 'Production',
  preview: 'Preview',
  development: 'Development',
};

/** The labels of environments; a custom one has its id. */
export function labelsOf(environments: readonly string[]): string[] {
  const labels: Record<string, string> = ENVIRONMENT_LABELS;
  return [...new Set(environments)].toSorted().map((one) => labels[one] ?? one);
}

/** Environments as a person reads them: `Preview and Production`. */
export function nameEnvironments(environments: readonly string[]): string {
  return labelsOf(environments).join(' and ');
}

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
 * What the ledger keeps of a row: its id, the environments that it was written for, and `updatedAt` of Vercel's answer to
 * our last write, in milliseconds; null if that is not known, or its value can be read. With the environments we see a later change of those of the
 * destination without a call, with the time a later write by somebody else.
 */
export type Reference = { id: string; environments: string[]; writtenAt: number | null };

/** `Ab12/preview+production/1768469400000`. */
export function writeReference({ id, environments, writtenAt }: Reference): string {
  const written = `${id}/${joinEnvironments(environments)}`;
  return writtenAt === null ? written : `${written}/${writtenAt}`;
}

/** Reads a reference; null if nothing is kept. */
export function readReference(text: string | null): Reference | null {
  if (!text) return null;
  const [id = '', environments = '', writtenAt] = text.split('/');
  return {
    id,
    environments: environments === '' ? [] : environments.split('+'),
    writtenAt: writtenAt ? Number(writtenAt) : null,
  };
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
