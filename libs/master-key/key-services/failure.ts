const REASONS = {
  unreachable: { passes: true, text: 'it cannot be reached', advice: 'allow this host to reach it' },
  busy: { passes: true, text: 'it cannot do this now', advice: 'check its state and its limits' },
  credentials_missing: {
    passes: true,
    text: 'there are no credentials for it',
    advice: 'docs/master-key.md says where this process looks for them',
  },
  credentials_refused: { passes: false, text: 'it refuses the credentials', advice: 'correct or renew them' },
  denied: { passes: false, text: 'it does not allow this', advice: 'allow the identity of this process' },
  not_found: { passes: false, text: 'it has no such key', advice: 'correct the address of the key' },
  disabled: {
    passes: false,
    text: 'the key is disabled, or will soon be deleted',
    advice: 'enable it again',
  },
  not_ours: {
    passes: false,
    text: 'this key did not wrap the value, or it wrapped it for another purpose',
    advice: 'use the exact output of `sealift master-key wrap`',
  },
  unsuitable: {
    passes: false,
    text: 'the key cannot wrap keys',
    advice: 'docs/master-key.md says which kind of key to use',
  },
  unexpected: {
    passes: false,
    text: 'its answer cannot be understood',
    advice: 'check that the address is that of the key service',
  },
} as const;

export type Reason = keyof typeof REASONS;

/**
 * Why a key service did not wrap or unwrap. `passes`: the failure may pass by itself. The text has the vendor's code, and
 * nothing else that was received.
 */
export class KeyServiceError extends Error {
  readonly reason: Reason;
  readonly passes: boolean;
  /** `right`: the permission that the identity needs; shown if it is missing. */
  constructor(reason: Reason, { code = '', right = '' }: { code?: string; right?: string } = {}) {
    const { text, advice, passes } = REASONS[reason];
    const named = /^[\w. -]{1,80}$/.test(code) ? ` (${code})` : '';
    super(`${text}${named}; ${advice}${reason === 'denied' && right ? ` ${right}` : ''}`);
    this.name = 'KeyServiceError';
    this.reason = reason;
    this.passes = passes;
  }
}

/** A wrapped master key could not be unwrapped; this may pass by itself. The text names the setting and what to do. */
export class KeyServiceAwayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyServiceAwayError';
  }
}

/** The meaning of an HTTP status if the vendor's code does not say more; undefined: there was no answer. */
export function reasonOfStatus(status: number | undefined): Reason {
  if (status === undefined) return 'unreachable';
  if (status === 401) return 'credentials_refused';
  if (status === 403) return 'denied';
  if (status === 404) return 'not_found';
  return status === 408 || status === 429 || status >= 500 ? 'busy' : 'unexpected';
}
