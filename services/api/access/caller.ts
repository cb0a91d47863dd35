import type { Database } from '../../../libs/db/connect.ts';
import { isWithin, type Namespace } from '../../../libs/store/access/namespaces.ts';
import { findSession, type BrowserSession } from '../../../libs/store/access/sessions.ts';
import {
  findTokenByAccessor,
  findTokenBySecret,
  touchToken,
  type Token,
} from '../../../libs/store/access/tokens.ts';
import { compilePolicy, type CompiledPolicy } from './match/compile-policy.ts';
import { addWays, capabilitiesInto, ruleOn, type Ways } from './match/find-rule.ts';
import { loadPolicies } from './match/load-policies.ts';
import type { PatternBranch } from './match/rule-index.ts';
import type { Capability, PolicyDocument, Rule } from './policy.ts';
import { hasAliases, pathAliases } from './path-aliases.ts';

/** The caller: a live token with its policies. */
export type Caller = {
  token: Token;
  policies: CompiledPolicy[];
  /** Grants that were already evaluated. They live as long as this object, whose policies never change. */
  answers: Map<string, Grant>;
  /** The browser's session that acts for the token. */
  session?: BrowserSession;
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

/** Loads the policies of a live token. Throws 403 if they are too many to be evaluated. */
export async function loadCaller(db: Database, token: Token): Promise<Caller> {
  return { token, policies: await loadPolicies(db, token.namespace_id, token.policies), answers: new Map() };
}

/** A caller with one policy, which need not be stored. */
export async function callerWith(token: Token, policy: PolicyDocument): Promise<Caller> {
  return { token, policies: [await compilePolicy(policy)], answers: new Map() };
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
  const key = `${isList} ${namespace.id} ${path}`;
  const known = caller.answers.get(key);
  if (known) return known;
  const grant = evaluate(caller, pathFromCaller(caller, namespace, path), path, isList);
  if (caller.answers.size < MOST_ANSWERS) caller.answers.set(key, grant);
  return grant;
}

/** Only the capabilities of the grant. */
export function capabilitiesOf(...question: Parameters<typeof grantOf>): ReadonlySet<Capability> {
  return grantOf(...question).capabilities;
}

function evaluate(caller: Caller, seen: string | undefined, path: string, isList: boolean): Grant {
  if (seen === undefined) return NOTHING;
  const isAliased = hasAliases(path);
  const aliases = isAliased ? pathAliases(seen) : [seen];
  const rule = ruleOn(
    caller.policies.map(({ rules, canonical }) => (isAliased ? canonical : rules)),
    isList ? aliases.flatMap((alias) => [alias, `${alias}/`]) : aliases,
  );
  if (!rule) return NOTHING;
  return { ...rule, capabilities: new Set(rule.capabilities) };
}

/** What any rule of the caller allows on a path of a namespace or below it. */
export function capabilitiesBelow(caller: Caller, namespace: Namespace, path: string): Set<Capability> {
  const seen = pathFromCaller(caller, namespace, path);
  return seen === undefined ? new Set() : capabilitiesInto(rulesOf(caller), seen);
}

/** Whether any rule of the caller allows something on a path of a namespace or below it. */
export function mayEnter(...question: Parameters<typeof capabilitiesBelow>): boolean {
  return capabilitiesBelow(...question).size > 0;
}

/** Where the caller's rules lead to directly below one of some folders of a namespace. */
export function waysBelow(caller: Caller, namespace: Namespace, folders: string[]): Ways {
  const ways: Ways = { folders: new Set(), things: new Set(), beginnings: new Set() };
  for (const folder of folders) {
    const seen = pathFromCaller(caller, namespace, folder);
    if (seen !== undefined) addWays(ways, rulesOf(caller), seen);
  }
  return ways;
}

/** Whether the caller may learn that a namespace exists: it is that of the token, or a rule allows something in it. */
export function mayKnow(caller: Caller, namespace: Namespace): boolean {
  return caller.token.namespace_id === namespace.id || mayEnter(caller, namespace, '');
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

function rulesOf({ policies }: Caller): PatternBranch[] {
  return policies.map(({ rules }) => rules);
}
