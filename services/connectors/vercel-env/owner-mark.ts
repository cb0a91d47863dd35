import { spellEnvironments } from './environments.ts';

/** Whose row it is and for which environments it was written. */
export type Mark = { installation: string; environments: string[] };

/** The comment of a row we write; the environments tell two destinations of one project apart. */
export function writeMark({ installation, environments }: Mark): string {
  return `sealift ${installation} ${spellEnvironments(environments)}`;
}

/** Null where the comment is anybody's; text that a person added behind the mark is passed over. */
export function readMark(comment: string): Mark | null {
  const [, installation, environments] = /^sealift (\S{1,100}) ([a-z+]{1,100})(?:\s|$)/.exec(comment) ?? [];
  if (installation === undefined || environments === undefined) return null;
  return { installation, environments: environments.split('+') };
}
