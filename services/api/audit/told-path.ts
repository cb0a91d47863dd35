import { canonicalTypeOf } from '../../connectors/catalog.ts';
import { ALIASES, settingsDefinitions } from '../../../libs/settings/definitions.ts';

// The beginning of a token's or a session's secret, and enough of it to be one.
const SECRET = /\bsl[ts]\.[\w-]{20,}/g;
const DESTINATION = /^(sys\/sync\/destinations\/)([^/]+)/;
const POLICY = /^(sys\/)(?:policies\/acl|policy)(?=$|\/)(.*)$/s;
const TUNE = /^sys\/mounts\/(auth\/.+\/tune)$/s;
const SETTINGS = /^(api\/v2\/admin\/)([^/]+)/;

const settingsTypes = new Map(
  settingsDefinitions.flatMap(({ kind, type }) =>
    (ALIASES[kind] ?? []).map((alias) => [alias.type, type] as const),
  ),
);

/** The text without tokens that somebody typed into it. */
export function maskTokens(text: string): string {
  return text.replaceAll(SECRET, (secret) => `${secret.slice(0, 4)}*****`);
}

/** A path as the trail keeps it: without tokens, and in one spelling, whichever alias the request used. */
export function toldPath(path: string): string {
  return maskTokens(plainSpelling(path));
}

/** The path in the spelling of the trail. Names of policies are case-insensitive. */
export function plainSpelling(path: string): string {
  return path
    .replace(DESTINATION, (_, start: string, type: string) => start + canonicalTypeOf(type))
    .replace(POLICY, (_, start: string, name: string) => `${start}policies/acl${name.toLowerCase()}`)
    .replace(TUNE, 'sys/$1')
    .replace(SETTINGS, (_, start: string, type: string) => start + (settingsTypes.get(type) ?? type));
}
