import { Type, type TSchema, type TString } from 'typebox';
import type { Destination } from './contract.ts';
import { networkSettings } from './network.ts';

/** What is said of a value that does not match, and is taken all the same. */
type Doubt = { unless: string; text: string };

// Characters that no header, URL or command line carries. Halves of characters are among them.
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\p{Cs}';

/** Part of a pattern: a text of any language, without control characters and without spaces at its ends. */
export const INNER_SPACES = `[^\\s${CONTROLS}](?:[^${CONTROLS}]*[^\\s${CONTROLS}])?`;

/** A name that becomes one segment of a path. `.` and `..` are refused: they would lead to another resource. */
export function pathSegment(title: string, description: string, example: string): TString {
  return Type.String({
    pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,100}$',
    errorMessage: `must have 1 to 100 letters, digits and . _ -, such as ${example}`,
    title,
    description,
  });
}

/**
 * A token, key or other secret that a person copies from the store. It may become part of a header, so it is printable and
 * without spaces; a line feed after it, which editors add to files, is refused with those words. `isVisible`: it only
 * names the secret that belongs to it, so a form shows it while it is typed.
 */
export function credential(
  title: string,
  description: string,
  { maxLength = 1024, isVisible = false }: { maxLength?: number; isVisible?: boolean } = {},
): TString {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[!-~]+$',
    errorMessage: `must have 1 to ${maxLength} printable characters, without spaces and line feeds, such as abc_123`,
    sensitive: true,
    ...(isVisible ? { visible: true } : {}),
    title,
    description,
  });
}

/** An id or a name that a store takes as one word: printable, without spaces. */
export function word(title: string, description: string, example: string, longest = 2048): TString {
  return Type.String({
    minLength: 1,
    maxLength: longest,
    pattern: '^[!-~]+$',
    errorMessage: `must have 1 to ${longest} printable characters without spaces, such as ${example}`,
    title,
    description,
  });
}

/** The name of a customer's key, or an empty text for the key of the store itself. */
export const KEY_OR_EMPTY = Type.String({
  maxLength: 2048,
  pattern: '^[!-~]*$',
  errorMessage: 'must be the name of a key, such as alias/sealift, without spaces, or empty',
});

/** The rule for stores whose entries become environment variables. */
export const NO_NULL = {
  expression: /\0/,
  message: 'the value contains a null character, which no environment variable can hold',
};

/** Every setting of a type: its own, and the network settings that all types have. */
export function settingsOf(type: Pick<Destination, 'settings'>): Record<string, TSchema> {
  return { ...type.settings.properties, ...networkSettings };
}

/** The settings that decide where secrets are sent. */
export function addressSettings(type: Pick<Destination, 'settings'>): string[] {
  const properties: Record<string, TSchema> = type.settings.properties;
  return Object.keys(properties).filter((name) => {
    const schema = properties[name];
    return schema !== undefined && 'address' in schema && schema.address === true;
  });
}

/** Whether a setting of a type is a secret. A setting that the type does not know counts as one. */
export function isSensitive(type: Pick<Destination, 'settings'>, name: string): boolean {
  const own: Record<string, TSchema> = type.settings.properties;
  // Every setting of every answer comes through here, so this copies nothing.
  const all: Record<string, TSchema>[] = [own, networkSettings];
  const schema = all.find((properties) => Object.hasOwn(properties, name))?.[name];
  return schema === undefined || ('sensitive' in schema && schema.sensitive === true);
}

/** What the caller should look at again, although it may be meant: open settings whose values do not look as theirs do. */
export function doubtsOf(type: Pick<Destination, 'settings'>, settings: Record<string, unknown>): string[] {
  const properties: Record<string, TSchema & { doubt?: Doubt }> = type.settings.properties;
  return Object.entries(properties).flatMap(([name, { doubt }]) => {
    const value = settings[name];
    if (!doubt || typeof value !== 'string' || new RegExp(doubt.unless, 'u').test(value)) return [];
    return [`${value} ${doubt.text}`];
  });
}

/** The settings, with defaults for those that are left out. */
export function withDefaults(
  type: Pick<Destination, 'settings'>,
  settings: Record<string, unknown>,
): Record<string, unknown> {
  const properties: Record<string, TSchema> = type.settings.properties;
  const defaults = Object.entries(properties).flatMap(([name, schema]) =>
    'default' in schema ? [[name, schema.default]] : [],
  );
  return { ...Object.fromEntries(defaults), ...settings };
}
