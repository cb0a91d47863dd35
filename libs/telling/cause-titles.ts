/** What each cause is, in a few words. */
export const CAUSE_TITLES: Readonly<Record<string, string>> = {
  timed_out: 'No answer in time',
  unreachable: 'Store cannot be reached',
  connection_lost: 'Connection broke',
  tls_failed: 'TLS failed',
  certificate_refused: 'Certificate not trusted',
  egress_refused: 'Address not allowed',
  egress_limited: 'Address outside the limits',
  call_interrupted: 'Call was stopped',
  unexpected_answer: 'Answer from something else',
  redirected: 'Redirect not followed',
  rate_limited: 'Rate limit reached',
  store_failed: 'Store failed',
  store_unavailable: 'Store not available',
  store_busy: 'Store is busy',
  deletion_under_way: 'Former entry still being deleted',
  not_found: 'Entry is gone',
  credentials_refused: 'Credentials refused',
  credentials_missing: 'No credentials',
  credentials_expired: 'Credentials expired',
  trust_refused: 'Not trusted by the store',
  trust_unsettled: 'Not trusted by the store yet',
  issuer_unreachable: 'Store cannot fetch our keys',
  ambient_not_allowed: 'Identity of the worker not allowed',
  permission_missing: 'Permission missing',
  policy_refused: 'Refused by a rule of the store',
  account_inactive: 'Account or project inactive',
  container_not_found: 'Project or repository not found',
  configuration_invalid: 'Setting missing or wrong',
  conflict: 'Entry is not ours',
  blocked: 'Another entry is in the way',
  name_invalid: 'Name not accepted',
  value_too_large: 'Value too large',
  value_empty: 'Value is empty',
  value_unwritable: 'Value cannot be held',
  too_many_entries: 'Store is full',
  precondition_failed: 'Refused by the state of the entry',
  request_refused: 'Request refused as invalid',
  clock_skewed: 'Clocks differ too much',
  encryption_key_unusable: 'KMS key cannot be used',
  replica_failed: 'Replica not created',
  version_limit: 'Too many new versions',
  deleted_recoverable: 'Name belongs to a deleted secret',
  recovery_under_way: 'Deleted secret is being recovered',
  repository_moved: 'Repository moved',
  app_missing: 'GitHub App not known',
  app_refused: 'GitHub App refused',
  app_unsettled: 'GitHub App not accepted yet',
  installation_not_found: 'No such installation',
  installation_suspended: 'Installation suspended',
  selected_repository_not_found: 'Selected repository not found',
  installation_too_narrow: 'Installation lacks access',
  name_collision: 'Name used by another link',
  name_blocked: 'Name taken, but not shown',
  entry_unsettled: 'Store contradicts itself',
  too_many_bytes: 'Too large in all',
  not_replaced: 'Waits for other entries',
  changed_outside: 'Changed in the store',
  gone_outside: 'Deleted in the store',
  write_unconfirmed: 'Write not confirmed',
  paused: 'Paused',
  destination_gone: 'Destination deleted',
  unseal_failed: 'Secret cannot be decrypted',
  internal: 'Unexpected error',
};

/** The words for a cause; a code of a later version as it is. */
export function titleOfCause(code: string): string {
  return CAUSE_TITLES[code] ?? code;
}

const REQUEST = /^(?<text>.*) \(request (?<id>[^()]+)\)$/s;

/** What a message says, and the id that the store gave to the request; each request has another one. */
export function partsOfMessage(message: string): { text: string; id: string | undefined } {
  const { text = message, id } = REQUEST.exec(message)?.groups ?? {};
  return { text, id };
}

/** The same as the end of a longer sentence, without that id. */
export function clauseOf(message: string): string {
  const clause = partsOfMessage(message).text.replace(/\.$/, '');
  // Not the name of a store.
  return clause.replace(/^(?:The|An?|All|Another|No|Some\w*|This)\b/, (word) => word.toLowerCase());
}
