import { ConnectorError } from './errors.ts';

/**
 * The step of signing in and working at which a store refused a destination: its stored credentials, our identity token
 * and the documents behind it, the exchange of that token, the role or account that it leads to, or the rights there.
 */
export const CHECK_STEPS = ['credentials', 'token', 'exchange', 'role', 'permission'] as const;

export type CheckStep = (typeof CHECK_STEPS)[number];

const STEPS: Record<string, CheckStep> = {
  ambient_not_allowed: 'credentials',
  credentials_missing: 'credentials',
  credentials_refused: 'credentials',
  issuer_unreachable: 'token',
  permission_missing: 'permission',
  trust_refused: 'exchange',
  trust_unsettled: 'exchange',
};

/** The step that failed; null if it was none of them, such as a store that did not answer. */
export function stepOf(error: unknown): CheckStep | null {
  if (!(error instanceof ConnectorError)) return null;
  return error.atRole ? 'role' : (STEPS[error.code] ?? null);
}
