/**
 * What a failed vendor call means for the sync:
 * - `client`: a person must act (configuration, privileges, a value that the store cannot hold). Unless it is `final`, the
 *   engine retries on a slow schedule, because somebody may fix it outside.
 * - `external`: the store failed or cannot be reached; the engine retries for ever with backoff.
 * - `throttled`: the store asked us to wait; `retryAfterMs` says how long. A wait is not a failure.
 * - `exists`: `put` with `expect: 'absent'` found that the name is taken.
 * - `missing`: `put` with `expect: 'present'` found no such entry.
 */
export type FailureKind = 'client' | 'external' | 'throttled' | 'exists' | 'missing';

/**
 * The step of signing in and working at which a store refused a destination: its stored credentials, our identity token
 * and the documents behind it, the exchange of that token, the role or account that it leads to, or the rights there.
 */
export const CHECK_STEPS = ['credentials', 'token', 'exchange', 'role', 'permission'] as const;

export type CheckStep = (typeof CHECK_STEPS)[number];

export type FailureDetails = {
  kind: FailureKind;
  /** Stable, snake_case, for machines: one of `causes.ts`, or one of the type's own causes. */
  code: string;
  /** Short sanitised text that tells people what to do; never a secret, never a provider's body. */
  message: string;
  retryAfterMs?: number;
  /**
   * `destination`: every other entry of the destination would fail in the same way (bad credentials, outage). Default
   * `entry`.
   */
  scope?: 'entry' | 'destination';
  /** The vendor's request id, safe to show. */
  requestId?: string | undefined;
  /** For kind `client`: only a change of the secret or the destination can fix it, no change outside. */
  final?: boolean;
  step?: CheckStep;
};

/** The only error that a connector's verbs may throw on purpose. Any other error counts as our own fault. */
export class ConnectorError extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly scope: 'entry' | 'destination';
  readonly requestId: string | undefined;
  readonly final: boolean;
  /**
   * An earlier call of the verb has changed something, so "refused" does not mean "nothing happened"; see `afterEffect`.
   */
  partly = false;
  /** Nothing of the call went out to the store, so it certainly changed nothing; see `beforeSending`. */
  unsent = false;
  /** The step at which the store refused the destination; undefined: none, such as a store that did not answer. */
  step: CheckStep | undefined;

  constructor(details: FailureDetails) {
    super(details.message);
    this.name = 'ConnectorError';
    this.kind = details.kind;
    this.code = details.code;
    this.retryAfterMs = details.retryAfterMs;
    this.scope = details.scope ?? 'entry';
    this.requestId = details.requestId;
    this.final = details.final ?? false;
    this.step = details.step;
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

/** The result of a call; null if it fails because there is no such entry. */
export async function orNull<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Runs the rest of a verb after a call that changed something: marks its failures as `partly`. */
export async function afterEffect<Result>(rest: () => Promise<Result>): Promise<Result> {
  try {
    return await rest();
  } catch (error) {
    if (error instanceof ConnectorError) error.partly = true;
    throw error;
  }
}

/**
 * Runs what a call needs before anything of it goes out, such as signing in: marks its failures as `unsent`. If an earlier
 * call of the verb may still take effect, this is wrong.
 */
export async function beforeSending<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ConnectorError) error.unsent = true;
    throw error;
  }
}
