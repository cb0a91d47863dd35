import { canonicalTypeOf, findDestinationType } from '../../connectors/catalog.ts';

const DESTINATION = /^(\/?|.*?\/)(sys\/sync\/destinations\/)([^/*+]+)(.*)$/s;
const POLICY = /^(?:\/?|.*?\/)sys\/(?:policies\/acl|policy)\//s;

/**
 * A rule's pattern under its canonical name: the type replaces the alias of a destination type, and the name of a policy,
 * which has no case, is in small letters.
 */
export function canonicalPattern(pattern: string): string {
  const [folder] = POLICY.exec(pattern) ?? [];
  if (folder !== undefined) return folder + pattern.slice(folder.length).toLowerCase();
  return pattern.replace(
    DESTINATION,
    (_, start: string, prefix: string, type: string, rest: string) =>
      `${start}${prefix}${canonicalTypeOf(type)}${rest}`,
  );
}

/** Whether a path of a namespace names a thing that has aliases, so that other paths mean the same. */
export function hasAliases(path: string): boolean {
  return /^sys\/(?:sync\/destinations|policies\/acl|policy)\//.test(path);
}

/** The path under every alias, so that nobody can walk around a rule with a wildcard by another name. */
export function pathAliases(path: string): string[] {
  const [, start = '', prefix = '', named = '', rest = ''] = DESTINATION.exec(path) ?? [];
  const type = findDestinationType(named);
  if (!type) return [canonicalPattern(path)];
  return [type.type, ...type.aliases].map((name) => `${start}${prefix}${name}${rest}`);
}
