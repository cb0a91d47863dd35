import { kindOf } from './kinds.ts';

/** The content of one version of a secret. Every value ends with the version, so a store's content shows its order. */
export function dataOf(secret: string, version: number): Record<string, string> {
  return { a: `${secret}:${version}`, b: `also ${secret}:${version}` };
}

/** The version of a value found in a store; NaN if it is none of ours. */
export function versionIn(text: string): number {
  const versions = new Set([...text.matchAll(/s\d+:(\d+)/g)].map((match) => Number(match[1])));
  // An entry with parts of two versions is a fault by itself.
  return versions.size === 1 ? Number([...versions][0]) : Number.NaN;
}

/** The parts of an external name of ours. */
export type NameParts = { destination: string; round: number; secret: string };

/** Parses `{destination}-r{round}-{secret}`, in the spelling of any store; undefined for names that are not managed. */
export function parseName(name: string): NameParts | undefined {
  const match = /^([a-z]+\d*)[-_]r(\d+)[-_](s\d+)(?:_[ab])?$/i.exec(name);
  if (!match) return undefined;
  const [, destination = '', round, secret = ''] = match;
  return { destination: destination.toLowerCase(), round: Number(round), secret: secret.toLowerCase() };
}

/** The template of such names. */
export function templateOf(type: string, destination: string, round: number): string {
  const { separator, byKey } = kindOf(type);
  const parts = [destination, `r${round}`, '{{ .SecretPath }}', ...(byKey ? ['{{ .SecretKey }}'] : [])];
  return parts.join(separator);
}

/** All entries that a secret's version must be in, by name. */
export function entriesOf(
  type: string,
  destination: string,
  round: number,
  secret: string,
  version: number,
): Map<string, string> {
  const data = dataOf(secret, version);
  const { separator, byKey, spell } = kindOf(type);
  const name = [destination, `r${round}`, secret].join(separator);
  if (!byKey) return new Map([[spell(name), JSON.stringify(data)]]);
  return new Map(Object.entries(data).map(([key, value]) => [spell(`${name}${separator}${key}`), value]));
}
