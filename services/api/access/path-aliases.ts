import { canonicalTypeOf, findDestinationType } from '../../connectors/catalog.ts';

const DESTINATION = /^(\/?|.*?\/)(sys\/sync\/destinations\/)([^/*+]+)(.*)$/s;
const POLICY = /^(?:\/?|.*?\/)sys\/(?:policies\/acl|policy)\//s;

/**
 * A rule's pattern in canonical form: an alias of a destination type becomes the type. The name of a policy becomes
 * lower case, because names of policies are case-insensitive.
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

/** Whether a path of a namespace names something that has aliases, so that other paths mean the same thing. */
export function hasAliases(path: string): boolean {
  return /^sys\/(?:sync\/destinations|policies\/acl|policy)\//.test(path);
}

/** The path under every alias, so that a caller cannot bypass a rule with a wildcard by using another name. */
export function pathAliases(path: string): string[] {
  const [, start = '', prefix = '', named = '', rest = ''] = DESTINATION.exec(path) ?? [];
  const type = findDestinationType(named);
  if (!type) return [canonicalPattern(path)];
  return [type.type, ...type.aliases].map((name) => `${start}${prefix}${name}${rest}`);
}
