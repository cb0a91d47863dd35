import { findInSlices } from '../../../libs/time/slices.ts';
import { matchesGlob } from '../../../libs/validation/glob.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { ClaimsError, type Claims } from './claims.ts';

/** A service account of a cluster. `secretName`: of the secret that holds its token; empty for the tokens of pods. */
export type ServiceAccount = { namespace: string; name: string; uid: string; secretName: string };

/** Which service accounts may log in; `*` stands for any letters. */
export type ServiceAccountRules = {
  bound_service_account_names: string[];
  bound_service_account_namespaces: string[];
  /** The text of a label selector that lets in further namespaces; empty or absent, as in older roles: none. */
  bound_service_account_namespace_selector?: string;
};

// The names that Kubernetes gives, with room; they become names of tokens and metadata.
const NAME = /^[\w.:-]{1,253}$/;
const OLD = 'kubernetes.io/serviceaccount/';

/** The service account that a token says it is of. Throws ClaimsError if it is of none. */
export function serviceAccountOf(claims: Claims): ServiceAccount {
  const inside = claims['kubernetes.io'];
  const account = isJsonObject(inside) ? readNested(inside) : readFlat(claims);
  const { namespace, name, uid, secretName } = account;
  const given = secretName === '' ? [namespace, name, uid] : [namespace, name, uid, secretName];
  if (!given.every((text): text is string => typeof text === 'string' && NAME.test(text)))
    throw new ClaimsError('claims', 'the token is not one of a service account');
  return account as ServiceAccount;
}

type Unchecked = Record<keyof ServiceAccount, unknown>;

function readNested(inside: Claims): Unchecked {
  const account = inside['serviceaccount'];
  const { name, uid } = isJsonObject(account) ? account : {};
  return { namespace: inside['namespace'], name, uid, secretName: '' };
}

// Tokens that lie in secrets, as older clusters made them for every service account.
function readFlat(claims: Claims): Unchecked {
  return {
    namespace: claims[`${OLD}namespace`],
    name: claims[`${OLD}service-account.name`],
    uid: claims[`${OLD}service-account.uid`],
    secretName: claims[`${OLD}secret.name`] ?? '',
  };
}

/** What a role does not allow about a service account; undefined if it allows it. */
export async function findUnboundPart(
  { name, namespace }: ServiceAccount,
  rules: ServiceAccountRules,
): Promise<'service account name' | 'namespace' | undefined> {
  const isBound = async (globs: string[], text: string): Promise<boolean> =>
    (await findInSlices(globs, (glob) => matchesGlob(glob, text))) !== undefined;
  if (!(await isBound(rules.bound_service_account_names, name))) return 'service account name';
  if (!(await isBound(rules.bound_service_account_namespaces, namespace))) return 'namespace';
  return undefined;
}
