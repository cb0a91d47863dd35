import { parseObject, type JsonObject } from '../../../libs/connector/http/json.ts';
import { checkUrl, isAllowed, type EgressRules } from '../../../libs/egress/guard.ts';
import { findPrivateKeyFault } from '../../../libs/validation/pem-faults.ts';

/** The checked parts of a service account key. Nothing else in its JSON is used. */
export type ServiceAccount = {
  projectId: string;
  clientEmail: string;
  privateKey: string;
  privateKeyId: string | undefined;
  /** The domain of the cloud's services: `googleapis.com`, or one that the operator allowed. */
  universeDomain: string;
};

/** The pattern of a whole project id, which becomes a segment of paths. */
export const PROJECT_ID = '^(?:[a-z0-9][a-z0-9.-]{0,100}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$';

export const DEFAULT_UNIVERSE = 'googleapis.com';

// The token addresses in keys that Google issued over the years. We call none of them: tokens are signed here.
const VENDOR_TOKEN_URIS = new Set([
  'https://oauth2.googleapis.com/token',
  'https://accounts.google.com/o/oauth2/token',
  'https://www.googleapis.com/oauth2/v4/token',
]);

type Rule = [isFine: (fields: JsonObject, rules: EgressRules) => boolean, fault: string];

const RULES: Rule[] = [
  [
    ({ project_id: id }) => typeof id === 'string' && new RegExp(PROJECT_ID).test(id),
    'credentials: the key has no valid "project_id": give the whole JSON as Google created it',
  ],
  [
    ({ client_email: email }) => typeof email === 'string' && /^[!-?A-~]{1,128}@[!-?A-~]{1,253}$/.test(email),
    'credentials: client_email is missing or not an email address',
  ],
  [
    ({ private_key_id: id }) => id === undefined || (typeof id === 'string' && /^[\w-]{1,128}$/.test(id)),
    'credentials: private_key_id is not a key id',
  ],
  [
    ({ token_uri: uri }, rules) => uri === undefined || isTokenUri(uri, rules),
    'credentials: token_uri is not an address of Google; only the operator can allow others (EGRESS_ALLOW)',
  ],
  [
    ({ universe_domain: domain }, rules) => domain === undefined || isUniverse(domain, rules),
    `credentials: universe_domain is not ${DEFAULT_UNIVERSE}; only the operator can allow others (EGRESS_ALLOW)`,
  ],
];

/** Reads the JSON of a service account key. No fault quotes any of it. */
export function parseServiceAccount(text: string, rules: EgressRules): ServiceAccount | { faults: string[] } {
  const fields = parseObject(text);
  if (!fields)
    return {
      faults: ['credentials must be the JSON of a service account key, or @ and the path of such a file'],
    };
  if (fields['type'] !== 'service_account')
    return { faults: ['credentials: type must be service_account; no other type is accepted'] };
  const faults = RULES.filter(([isFine]) => !isFine(fields, rules)).map(([, fault]) => fault);
  const key = fields['private_key'];
  const keyFault = findPrivateKeyFault(typeof key === 'string' ? key : null);
  if (keyFault !== undefined) faults.push(`credentials: private_key ${keyFault}`);
  if (faults.length > 0) return { faults };
  return {
    projectId: fields['project_id'] as string,
    clientEmail: fields['client_email'] as string,
    privateKey: fields['private_key'] as string,
    privateKeyId: fields['private_key_id'] as string | undefined,
    universeDomain: (fields['universe_domain'] as string | undefined) ?? DEFAULT_UNIVERSE,
  };
}

/** The project that a key's JSON names; undefined if it names none. */
export function projectIn(text: string): string | undefined {
  const id = parseObject(text)?.['project_id'];
  return typeof id === 'string' ? id : undefined;
}

function isTokenUri(uri: unknown, rules: EgressRules): boolean {
  if (typeof uri !== 'string') return false;
  if (VENDOR_TOKEN_URIS.has(uri)) return true;
  return checkUrl(uri, rules) === null && isAllowed(new URL(uri).hostname, rules);
}

function isUniverse(domain: unknown, rules: EgressRules): boolean {
  if (domain === DEFAULT_UNIVERSE) return true;
  if (typeof domain !== 'string' || !/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}$/.test(domain)) return false;
  return isAllowed(`secretmanager.${domain}`, rules);
}
