import type { TokenRules } from '../../../../libs/store/auth/roles.ts';
import { isEveryAddress } from '../../access/bound-cidrs.ts';
import { textsOf, type ClaimRules } from '../../log-in/claims.ts';

type Addresses = Pick<TokenRules, 'token_bound_cidrs'>;
type Pods = Addresses & {
  bound_service_account_names: string[];
  bound_service_account_namespaces: string[];
};
type Machines = Addresses & { bind_secret_id: boolean; secret_id_bound_cidrs: string[] };

/** The warning for a role of `jwt` that takes every token of its issuer; otherwise null. */
export function openToIssuer(rules: Addresses & ClaimRules): string | null {
  const isGlob = rules.bound_claims_type === 'glob';
  const asks = Object.values(rules.bound_claims).some(
    (values) => !(isGlob && textsOf(values).some(isAnyText)),
  );
  if (rules.bound_subject !== '' || asks) return null;
  return warningOf(
    [rules.token_bound_cidrs],
    'whoever gets a token of the issuer, for its audience if it names one',
    'bound_subject, or in bound_claims values other than *',
  );
}

/** The warning for a role of AppRole whose role ID, which is no secret, logs in from everywhere; otherwise null. */
export function openToRoleId(rules: Machines): string | null {
  if (rules.bind_secret_id) return null;
  return warningOf(
    [rules.token_bound_cidrs, rules.secret_id_bound_cidrs],
    'whoever knows its role ID, which is no secret',
    'bind_secret_id',
  );
}

/** The warning for a role of `kubernetes` that takes every service account of the cluster; otherwise null. */
export function openToCluster(rules: Pods): string | null {
  const { bound_service_account_names: names, bound_service_account_namespaces: namespaces } = rules;
  if (!names.some(isAnyText) || !namespaces.some(isAnyText)) return null;
  return warningOf(
    [rules.token_bound_cidrs],
    'every service account of the cluster',
    'the names or the namespaces of those that may log in',
  );
}

// One who must come from certain addresses is not everybody.
function warningOf(cidrs: string[][], who: string, what: string): string | null {
  if (cidrs.some((list) => list.length > 0 && !list.some(isEveryAddress))) return null;
  return `this role lets in ${who}, from any address. Set ${what}, or token_bound_cidrs.`;
}

function isAnyText(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}
