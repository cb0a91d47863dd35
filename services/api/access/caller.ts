import type { Database } from '../../../libs/db/connect.ts';
import { isWithin, type Namespace } from '../../../libs/store/access/namespaces.ts';
import { findPolicies } from '../../../libs/store/access/policies.ts';
import { findSession, type Session } from '../../../libs/store/access/sessions.ts';
import {
  findTokenByAccessor,
  findTokenBySecret,
  touchToken,
  type Token,
} from '../../../libs/store/access/tokens.ts';
import { capabilitiesInto, ruleOn } from './evaluate.ts';
import { BUILT_IN_POLICIES, type Capability, type PolicyDocument, type Rule } from './policy.ts';
import { canonicalPattern, hasAliases, pathAliases } from './path-aliases.ts';

/** The caller: a live token with its policies. */
export type Caller = {
  token: Token;
  policies: PolicyDocument[];
  /** The same policies, with canonical names in their patterns. */
  canonical: PolicyDocument[];
  /** Grants that were already evaluated. They live as long as this object, whose policies never change. */
  answers: Map<string, Grant>;
  /** The browser's session that acts for the token. */
  session?: Session;
};

/** What policies allow on a path: capabilities, and the conditions for them. */
export type Grant = Omit<Rule, 'capabilities'> & { capabilities: ReadonlySet<Capability> };

const MOST_ANSWERS = 1000;
const NOTHING: Grant = { capabilities: new Set() };

/** Undefined for an unknown, revoked or expired token. */
export async function findCaller(db: Database, hashKey: Buffer, secret: string): Promise<Caller | undefined> {
  const token = await findTokenBySecret(db, hashKey, secret);
  if (!token) return undefined;
  await touchToken(db, token);
  return loadCaller(db, token);
}

/** Like `findCaller`, but for the secret of a browser session. */
export async function findSessionCaller(
  db: Database,
  hashKey: Buffer,
  secret: string,
): Promise<Caller | undefined> {
  const session = await findSession(db, hashKey, secret);
  const token = session && (await findTokenByAccessor(db, session.accessor));
  if (!token) return undefined;
  await touchToken(db, token);
  return { ...(await loadCaller(db, token)), session };
}

/** Loads the policies of a live token. */
export async function loadCaller(db: Database, token: Token): Promise<Caller> {
  const builtIn = token.policies.flatMap((name) =>
    Object.hasOwn(BUILT_IN_POLICIES, name)
      ? [BUILT_IN_POLICIES[name]].filter((policy) => policy !== undefined)
      : [],
  );
  const names = token.policies.filter((name) => !Object.hasOwn(BUILT_IN_POLICIES, name));
  const stored = await findPolicies(db, token.namespace_id, names);
  return callerWith(token, [...builtIn, ...stored.map((policy) => policy.document as PolicyDocument)]);
}

/** A caller with the given policies, which need not be stored. */
export function callerWith(token: Token, policies: PolicyDocument[]): Caller {
  return { token, policies, canonical: policies.flatMap(canonicalise), answers: new Map() };
}

/**
 * What the caller may do with a path of a namespace. Outside the token's namespace and the namespaces below it, this is
 * nothing. Policies are written relative to the token's namespace, so a path in a lower namespace begins with the path
 * to that namespace. A list acts on a folder, so rules for it may end in a slash.
 */
export function grantOf(
  caller: Caller,
  namespace: Namespace,
  path: string,
  { isList = false }: { isList?: boolean } = {},
): Grant {
  const asked = `${isList} ${namespace.id} ${path}`;
  const known = caller.answers.get(asked);
  if (known) return known;
  const grant = evaluate(caller, pathFromCaller(caller, namespace, path), path, isList);
  if (caller.answers.size < MOST_ANSWERS) caller.answers.set(asked, grant);
  return grant;
}

/** Only the capabilities of the grant. */
export function capabilitiesOf(...asked: Parameters<typeof grantOf>): ReadonlySet<Capability> {
  return grantOf(...asked).capabilities;
}

function evaluate(caller: Caller, seen: string | undefined, path: string, isList: boolean): Grant {
  if (seen === undefined) return NOTHING;
  const isAliased = hasAliases(path);
  const aliases = isAliased ? pathAliases(seen) : [seen];
  const rule = ruleOn(
    isAliased ? caller.canonical : caller.policies,
    isList ? aliases.flatMap((alias) => [alias, `${alias}/`]) : aliases,
  );
  if (!rule) return NOTHING;
  return { ...rule, capabilities: new Set(rule.capabilities) };
}

/** What any rule of the caller allows on a path of a namespace or below it. */
export function capabilitiesBelow(caller: Caller, namespace: Namespace, path: string): Set<Capability> {
  const seen = pathFromCaller(caller, namespace, path);
  return seen === undefined ? new Set() : capabilitiesInto(caller.policies, seen);
}

/** Whether any rule of the caller allows something on a path of a namespace or below it. */
export function mayEnter(...asked: Parameters<typeof capabilitiesBelow>): boolean {
  return capabilitiesBelow(...asked).size > 0;
}

/** Whether a namespace is the token's own or below it. */
export function reaches(caller: Caller, namespace: Namespace): boolean {
  return isWithin({ id: caller.token.namespace_id, path: caller.token.namespace_path }, namespace);
}

function pathFromCaller(caller: Caller, namespace: Namespace, path: string): string | undefined {
  if (!reaches(caller, namespace)) return undefined;
  const below = namespace.path.slice(caller.token.namespace_path.length).replace(/^\//, '');
  return [below, path].filter(Boolean).join('/');
}

// One document for each rule, so that two aliases of one pattern add up.
function canonicalise(document: PolicyDocument): PolicyDocument[] {
  return Object.entries(document.path).map(([pattern, rule]) => ({
    path: { [canonicalPattern(pattern)]: rule },
  }));
}
