import type { CheckStep, FailureKind } from './errors.ts';

/** What a code means, defined once for all stores. Error texts, retries and docs/causes.md are made from it. */
export type CauseRow = {
  kind: FailureKind;
  /** Default `entry`. */
  scope?: 'destination';
  final?: true;
  /** The step of signing in and working that failed, for the test of a destination. */
  step?: CheckStep;
  /** Milliseconds until the next try if the store names no time. */
  retryAfterMs?: number;
  /** A whole sentence. `{store}` and `{setting}` are filled in, and so are the words that a connector gives. */
  message: string;
  /** What a person must do, in one sentence; absent if the failure passes by itself. */
  action?: string;
};

const SECOND = 1000;

const transport = {
  timed_out: {
    kind: 'external',
    scope: 'destination',
    message: '{store} did not answer in time.',
    action: 'Check the network and the state of the store if this lasts.',
  },
  unreachable: {
    kind: 'external',
    scope: 'destination',
    message: '{store} cannot be reached: the name does not resolve, or nothing answers there.',
    action: 'Check {setting} and the network.',
  },
  connection_lost: {
    kind: 'external',
    message: 'The connection to {store} broke before the answer was complete.',
  },
  tls_failed: {
    kind: 'external',
    scope: 'destination',
    message: '{store} could not be reached over TLS.',
    action: 'Check {setting} and its port, and proxies in between.',
  },
  certificate_refused: {
    kind: 'external',
    scope: 'destination',
    message: 'This machine does not trust the certificate of {store}.',
    action: 'Set NODE_EXTRA_CA_CERTS to the file of its certificate authority.',
  },
  egress_refused: {
    kind: 'client',
    scope: 'destination',
    message:
      'The address in {setting} is not allowed: it is not https, or it leads to a special-purpose address.',
    action: 'Correct it, or ask the operator to allow it with EGRESS_ALLOW.',
  },
  egress_limited: {
    kind: 'client',
    scope: 'destination',
    message: 'The networking limits of the destination do not allow the address or the port of {store}.',
    action: 'Correct allowed_ipv4_addresses, allowed_ipv6_addresses or allowed_ports.',
  },
  call_interrupted: { kind: 'external', message: 'The call was stopped before {store} answered.' },
  unexpected_answer: {
    kind: 'external',
    message: 'The answer did not come from {store}: a proxy in between may have sent it.',
    action: 'Look for a proxy if this lasts.',
  },
  redirected: {
    kind: 'external',
    scope: 'destination',
    message: '{store} answered with a redirect, which is not followed.',
    action: 'Check {setting} and the network.',
  },
} satisfies Record<string, CauseRow>;

const store = {
  rate_limited: {
    kind: 'throttled',
    scope: 'destination',
    message: '{store} refused the call: its rate limit was reached.',
  },
  store_failed: { kind: 'external', message: '{store} failed on its side.' },
  store_unavailable: {
    kind: 'external',
    scope: 'destination',
    message: '{store} is not available.',
    action: 'Look at its status page if this lasts.',
  },
  store_busy: {
    kind: 'external',
    retryAfterMs: SECOND,
    message: '{store} is busy with another change of the same entry.',
  },
  deletion_under_way: {
    kind: 'external',
    retryAfterMs: 2 * SECOND,
    message: '{store} is still deleting a former entry of this name.',
  },
  not_found: { kind: 'missing', message: '{store} no longer has the entry.' },
} satisfies Record<string, CauseRow>;

const rights = {
  credentials_refused: {
    kind: 'client',
    step: 'credentials',
    scope: 'destination',
    message: '{store} does not accept the credentials: they are wrong, expired or revoked.',
    action: 'Set new credentials.',
  },
  credentials_missing: {
    kind: 'client',
    step: 'credentials',
    scope: 'destination',
    message: 'No credentials for {store} were found.',
    action: 'Set the credentials.',
  },
  trust_refused: {
    kind: 'client',
    step: 'exchange',
    scope: 'destination',
    message: '{store} does not trust this destination.',
    action: 'Compare the trust there with issuer, subject and audience of the destination (its identity).',
  },
  trust_unsettled: {
    kind: 'external',
    step: 'exchange',
    scope: 'destination',
    message: '{store} does not trust this destination yet. A new trust takes some minutes.',
    action:
      'If this lasts, compare the trust there with issuer, subject and audience of the destination (its identity).',
  },
  issuer_unreachable: {
    kind: 'external',
    step: 'token',
    scope: 'destination',
    message: '{store} could not fetch the keys that verify our identity tokens.',
    action: 'Make ISSUER_URL reachable from the internet over https.',
  },
  ambient_not_allowed: {
    kind: 'client',
    step: 'credentials',
    scope: 'destination',
    message:
      "The operator does not allow this namespace to use the worker's own identity (AMBIENT_CREDENTIALS).",
    action: 'Give the destination credentials, or set identity_token_audience.',
  },
  permission_missing: {
    kind: 'client',
    step: 'permission',
    message: 'The credentials lack a permission at {store}.',
    action: 'Grant the permission that the message names.',
  },
  policy_refused: {
    kind: 'client',
    message: 'A rule at {store} refuses the call: a policy, a perimeter or a firewall.',
    action: 'Allow the call in that rule.',
  },
  account_inactive: {
    kind: 'client',
    scope: 'destination',
    message: '{store} refuses the account or project: it is unpaid, suspended or not enabled.',
    action: 'Resolve this with the provider.',
  },
  container_not_found: {
    kind: 'client',
    scope: 'destination',
    message:
      '{store} does not have the project or repository that the settings name, or the credentials cannot see it.',
    action: 'Correct the settings, or grant access to it.',
  },
  configuration_invalid: {
    kind: 'client',
    scope: 'destination',
    message: 'A setting of the destination or of the connector is missing or wrong.',
    action: 'Correct the setting that the message names.',
  },
} satisfies Record<string, CauseRow>;

const entry = {
  conflict: {
    kind: 'exists',
    message: '{store} already has an entry with this name that is not managed by Sealift.',
    action: 'Adopt or overwrite it, rename or delete it in the store, or give the link another name.',
  },
  blocked: {
    kind: 'client',
    message: 'Another entry in {store} is in the way, and cannot be adopted or overwritten.',
    action: 'Remove it in the store, change the settings, give the link another name, or unlink the secret.',
  },
  name_invalid: {
    kind: 'client',
    final: true,
    message: '{store} does not accept this name.',
    action: 'Choose another name with secret_name_template.',
  },
  value_too_large: {
    kind: 'client',
    final: true,
    message: '{store} refused the value as too large.',
    action: 'Shorten the value.',
  },
  value_empty: {
    kind: 'client',
    final: true,
    message: 'The value is empty, and {store} does not accept empty values.',
    action: 'Give the secret a value.',
  },
  value_unwritable: {
    kind: 'client',
    final: true,
    message: 'The value contains characters that {store} cannot hold.',
    action: 'Encode the value, for example as base64, or link the whole secret (granularity secret-path).',
  },
  too_many_entries: {
    kind: 'client',
    message: '{store} already holds as many entries as it allows.',
    action: 'Delete some entries there, or ask for a higher quota.',
  },
  precondition_failed: {
    kind: 'client',
    message: '{store} refuses the call because of the current state of the entry.',
    action: 'Look at the entry there: it may be disabled, or managed by another service.',
  },
  request_refused: {
    kind: 'client',
    message: '{store} refused the name, the value or a setting as invalid.',
    action: 'Check them against the rules of the store.',
  },
} satisfies Record<string, CauseRow>;

/** The codes that any connector may use. */
export const SHARED_CAUSES = { ...transport, ...store, ...rights, ...entry };

export type CauseCode = keyof typeof SHARED_CAUSES;
