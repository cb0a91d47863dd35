import { canonicalTypeOf, findDestinationType } from '../../connectors/catalog.ts';

const DESTINATION = /^(\/?|.*?\/)(sys\/sync\/destinations\/)([^/*+]+)(.*)$/s;
const POLICY = /^(?:\/?|.*?\/)sys\/(?:policies\/acl|policy)\//s;

/**
 * A rule's pattern with one spelling for what has several: the alias of a destination type is replaced by the type, and
 * the name of a policy, which has no case, is in small letters.
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

/** Whether a path of a namespace names what has several spellings, so that they are the same path. */
export function hasSpellings(path: string): boolean {
  return /^sys\/(?:sync\/destinations|policies\/acl|policy)\//.test(path);
}

/** The path under every name of what it names, so that no rule with a wildcard can be walked around by another name. */
export function spellingsOf(path: string): string[] {
  const [, start = '', prefix = '', named = '', rest = ''] = DESTINATION.exec(path) ?? [];
  const type = findDestinationType(named);
  if (!type) return [canonicalPattern(path)];
  return [type.type, ...type.aliases].map((name) => `${start}${prefix}${name}${rest}`);
}
