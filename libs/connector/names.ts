import { createHash } from 'node:crypto';
import type { Destination, Granularity } from './contract.ts';
import type { NameRules } from './rules.ts';
import { namesKey, NO_KEY, parseTemplate, renderTemplate } from './template.ts';

// The longest key that the ledger can index, far longer than real keys.
const LONGEST_KEY_BYTES = 1024;

/** The name of an entry in the external store, and the form that the store compares names in. */
export type ExternalName = { name: string; nameKey: string };

/** What an external name is made from. `subKey` is empty if one entry holds the whole secret. */
export type NameSource = {
  type: Pick<Destination, 'type' | 'names'>;
  destination: { name: string; template: string };
  namespace: { id: string; path: string };
  mount: { path: string; accessor: string };
  secretPath: string;
  subKey: string;
};

/** The template of a destination whose user chose none; `prefix` is the operator's (`NAME_PREFIX`). */
export function defaultTemplate(granularity: Granularity, prefix: string): string {
  const template = `${prefix}/{{ .MountAccessor }}/{{ .SecretPath }}`;
  return granularity === 'secret-key' ? `${template}_{{ .SecretKey }}` : template;
}

/** The name with every character that the store does not allow replaced, not dropped. */
export function normaliseName(rules: NameRules, name: string): string {
  const spelled = rules.uppercase ? name.toUpperCase() : name;
  return spelled.replaceAll(strangersTo(rules), rules.replacement);
}

/** Why the store would refuse a name, as one sentence, or null. */
export function checkName(rules: NameRules, name: string): string | null {
  if (name === '') return 'the external name is empty';
  // There are never more characters than code units, so the cheap check comes first.
  const length = name.length > rules.maxLength ? Array.from(name).length : name.length;
  if (length > rules.maxLength) {
    return `the external name has ${length} characters, but the store allows at most ${rules.maxLength}: shorten it with secret_name_template`;
  }
  const stranger = name.match(strangersTo(rules))?.[0];
  if (stranger !== undefined) return `the external name must not contain ${JSON.stringify(stranger)}`;
  if (rules.pattern && !rules.pattern.expression.test(name)) return rules.pattern.message;
  return null;
}

const strangers = new WeakMap<NameRules, RegExp>();

// Matches every character that the rules do not allow.
function strangersTo(rules: NameRules): RegExp {
  const known = strangers.get(rules) ?? new RegExp(`(?!${rules.allowed.source})[^]`, 'gu');
  strangers.set(rules, known);
  return known;
}

/** Two names have equal keys exactly if the store takes them for one entry. */
export function nameKey(rules: NameRules, name: string): string {
  return rules.uppercase || rules.caseInsensitive ? name.toLowerCase() : name;
}

/** The external name of one entry, or one sentence that says why there is none. */
export function externalName(source: NameSource): ExternalName | { fault: string } {
  const parsed = parseTemplate(source.destination.template);
  if ('fault' in parsed) return parsed;
  const { namespace, mount, secretPath, subKey } = source;
  // It happens if the granularity of a destination changes while an association has a template of its own.
  if (subKey !== '' && !namesKey(parsed.template)) return { fault: NO_KEY };
  const strange = keyFault(subKey);
  if (strange !== null) return { fault: strange };
  const rendered = renderTemplate(parsed.template, {
    DestinationType: source.type.type,
    DestinationName: source.destination.name,
    NamespacePath: namespace.path,
    NamespaceBaseName: lastSegment(namespace.path),
    NamespaceID: namespace.id,
    MountPath: mount.path,
    MountBaseName: lastSegment(mount.path),
    MountAccessor: mount.accessor,
    SecretPath: secretPath,
    SecretBaseName: lastSegment(secretPath),
    SecretKey: subKey,
  });
  const name = normaliseName(source.type.names, rendered);
  const fault = checkName(source.type.names, name);
  return fault === null ? { name, nameKey: nameKey(source.type.names, name) } : { fault };
}

/** A key in the form that the ledger can hold: the key itself, or its beginning and a hash of the whole key. */
export function ledgerKey(subKey: string): string {
  if (keyFault(subKey) === null) return subKey;
  const hash = createHash('sha256').update(JSON.stringify(subKey)).digest('hex').slice(0, 12);
  return `${subKey.slice(0, 100).toWellFormed().replaceAll('\0', '\uFFFD')}… ${hash}`;
}

function keyFault(subKey: string): string | null {
  if (Buffer.byteLength(subKey) > LONGEST_KEY_BYTES)
    return `a key of the secret is longer than ${LONGEST_KEY_BYTES} bytes`;
  if (subKey.includes('\0')) return 'a key of the secret contains a null character';
  return subKey.isWellFormed() ? null : 'a key of the secret contains half of a character (a lone surrogate)';
}

function lastSegment(path: string): string {
  return path.split('/').at(-1) ?? '';
}
