import { canonicalTypeOf, findDestinationType } from '../../connectors/catalog.ts';

const DESTINATION = /^(\/?|.*?\/)(sys\/sync\/destinations\/)([^/*+]+)(.*)$/s;

/** A rule's pattern with the alias of a destination type replaced by the type: a rule for an alias is a rule for the type. */
export function canonicalType(pattern: string): string {
  return pattern.replace(
    DESTINATION,
    (_, start: string, prefix: string, type: string, rest: string) =>
      `${start}${prefix}${canonicalTypeOf(type)}${rest}`,
  );
}

/** Whether a path of a namespace names a destination type, so that the type's other names are the same path. */
export function namesDestinationType(path: string): boolean {
  return path.startsWith('sys/sync/destinations/');
}

/** The path under every name of its destination type, so that no rule with a wildcard can be walked around by another name. */
export function spellingsOf(path: string): string[] {
  const [, start = '', prefix = '', named = '', rest = ''] = DESTINATION.exec(path) ?? [];
  const type = findDestinationType(named);
  if (!type) return [path];
  return [type.type, ...type.aliases].map((name) => `${start}${prefix}${name}${rest}`);
}
