/**
 * What a failed vendor call means for the sync:
 * - `client`: a person must act (configuration, privileges, a value the store cannot hold); looked at again on a slow schedule,
 *   since it may be fixed outside, unless it is `final`.
 * - `external`: the store failed or cannot be reached; retried for ever with backoff.
 * - `throttled`: the store asked us to wait; `retryAfterMs` says how long. Waiting is not failing.
 * - `exists`: `put` with `expect: 'absent'` met a name that is taken.
 * - `missing`: `put` with `expect: 'present'` met no such entry.
 */
export type FailureKind = 'client' | 'external' | 'throttled' | 'exists' | 'missing';

export type FailureDetails = {
  kind: FailureKind;
  /** Stable, snake_case, for machines: one of `causes.ts`, or of the causes that a type has of its own. */
  code: string;
  /** Short sanitised text for people that says what to do; never a secret, never a provider's body. */
  message: string;
  retryAfterMs?: number;
  /** `destination`: every other entry of the destination would fail alike (bad credentials, outage). Default `entry`. */
  scope?: 'entry' | 'destination';
  /** The vendor's request id, safe to show. */
  requestId?: string | undefined;
  /** Of kind `client`: only a change of the secret or the destination can fix it, nobody outside. */
  final?: boolean;
};

/** The only error a connector's verbs may throw on purpose; anything else is reported as our own fault. */
export class ConnectorError extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly scope: 'entry' | 'destination';
  readonly requestId: string | undefined;
  readonly final: boolean;
  /** An earlier call of the verb has had its effect, so that "refused" does not mean "nothing happened"; see `afterEffect`. */
  partly = false;

  constructor(details: FailureDetails) {
    super(details.message);
    this.name = 'ConnectorError';
    this.kind = details.kind;
    this.code = details.code;
    this.retryAfterMs = details.retryAfterMs;
    this.scope = details.scope ?? 'entry';
    this.requestId = details.requestId;
    this.final = details.final ?? false;
  }
}

/** Whether an error is a ConnectorError with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): error is ConnectorError {
  return error instanceof ConnectorError && codes.includes(error.code);
}

/** Whether an error says that there is no such entry. */
export function isMissing(error: unknown): error is ConnectorError {
  return error instanceof ConnectorError && error.kind === 'missing';
}

/** The result of a call; null where it fails because there is no such entry. */
export async function orNull<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The rest of a verb, after a call of it that changed something: its failures are `partly`. */
export async function afterEffect<Result>(rest: () => Promise<Result>): Promise<Result> {
  try {
    return await rest();
  } catch (error) {
    if (error instanceof ConnectorError) error.partly = true;
    throw error;
  }
}
