import { ConnectorError, type CheckStep } from './errors.ts';

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
  return error.step ?? STEPS[error.code] ?? null;
}
