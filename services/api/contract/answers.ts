/**
 * Shapes of answers that the web console reads. There are only types here, so an import loads nothing. Times are RFC 3339.
 */

export type CauseAnswer = { class: string; code: string; message: string };

export type SessionAnswer = {
  csrf: string;
  accessor: string;
  display_name: string;
  policies: string[];
  namespace_path: string;
  created_time: string;
  expire_time: string;
  idle_seconds: number;
  /** Seconds until the session ends if nobody uses it; `remaining_seconds`: until it ends in any case. */
  idle_remaining_seconds: number;
  remaining_seconds: number;
};

/** Times are RFC 3339; `expire_time` is when the session ends in any case. */
export type ListedSessionAnswer = {
  accessor: string;
  display_name: string;
  policies: string[];
  created_time: string;
  last_used_time: string;
  expire_time: string;
  /** The session belongs to the caller's own token. */
  is_own: boolean;
  is_current: boolean;
};

export type SessionsAnswer = { keys: string[]; key_info: Record<string, ListedSessionAnswer> };

/**
 * The revision of a thing, and who made it and when; null if that was not recorded. `If-Match` takes the revision in
 * quotes.
 */
export type ChangedAnswer = { revision: string; changed_at: string | null; changed_by: string | null };

export type DestinationAnswer = {
  name: string;
  type: string;
  connection_details: Record<string, unknown>;
  options: Record<string, unknown>;
  purge_initiated_at?: string;
  purge_error?: string;
};

export type SettingsAnswer = {
  data: {
    id: string;
    type: string;
    attributes: Record<string, unknown>;
    meta: {
      revision: string;
      'changed-at': string | null;
      'changed-by': string | null;
      /** Secrets that are set and never shown. */
      set: string[];
    };
  };
};

/** One change of a destination; `detail` has names only, such as which settings or which secret. */
export type DestinationEventAnswer = {
  id: number;
  at: string;
  actor: string;
  action: string;
  outcome: string;
  status: number | null;
  detail: Record<string, unknown> | null;
};

export type DestinationHistoryAnswer = {
  store_name: string;
  store_type: string;
  history: DestinationEventAnswer[];
};

export type VersionDiffAnswer = {
  from: number;
  to: number;
  keys: Record<string, 'added' | 'removed' | 'changed' | 'same'>;
};

/** The results of a search by a part of the name. If `is_complete` is false, there may be more; `next_after` continues among the secrets. */
export type SearchAnswer = {
  destinations: { type: string; name: string }[];
  secrets: { mount: string; secret_name: string }[];
  is_complete: boolean;
  next_after: string | null;
};

/**
 * A known change in the store: its code, since when we know it, and how the keyed fingerprints of the value that we
 * wrote and of the value that we found begin.
 */
export type DriftAnswer = { code: string; since: string; written: string | null; found: string | null };

/** An entry of an association in the store: one for each key, or one for the whole secret. */
export type RecordAnswer = {
  accessor: string;
  mount: string;
  secret_name: string;
  sub_key: string;
  external_name: string;
  sync_status: string;
  updated_at: string;
  source_version: number | null;
  synced_version: number | null;
  cause: CauseAnswer | null;
  drift: DriftAnswer | null;
  attempts: number;
  next_attempt_at: string | null;
};

export type AttemptAnswer = {
  id: number;
  at: string;
  sub_key: string;
  action: string;
  version: number | null;
  /** Who wrote that version of the secret; null if the version is gone. */
  version_by: string | null;
  /** Why it was tried, and who caused that; null if it is not known. */
  trigger: { cause: string; by: string | null } | null;
  outcome: string;
  cause: CauseAnswer | null;
  ms: number;
};

/** The ways to sign in. `help` is a text of the operator; `support` says whom to ask. */
export type SignInMethodsAnswer = { saml: boolean; help: string; support: string | null };

export type ProblemAnswer = {
  store_type: string;
  store_name: string;
  sync_status: string;
  cause: CauseAnswer | null;
  scope: 'destination' | 'association';
  count: number;
  since: string | Date | null;
  next_attempt_at: string | Date | null;
  example: { mount: string; secret_name: string };
};

export type DestinationSummaryAnswer = {
  store_type: string;
  store_name: string;
  total: number;
  by_status: Record<string, number>;
  oldest_due_at: string | Date | null;
  throttled_until: string | Date | null;
  purge_initiated_at: string | Date | null;
  purge_error: string | null;
  problems: ProblemAnswer[];
};

export type SummaryAnswer = {
  disabled: boolean;
  total: number;
  by_status: Record<string, number>;
  problems: ProblemAnswer[];
  destinations: DestinationSummaryAnswer[];
};

export type RowAnswer = {
  mount: string;
  accessor: string;
  secret_name: string;
  sync_status: string;
  cause: CauseAnswer | null;
  scope: 'destination' | 'association';
  since: string | Date | null;
  next_attempt_at: string | Date | null;
  updated_at: string | Date;
  attempts: number;
  source_version: number | null;
  synced_version: number | null;
  entries: number;
  entries_in_sync: number;
  external_name: string | null;
};

/** A field of a form: its name, and the keywords of its JSON Schema. */
export type FieldAnswer = {
  name: string;
  type?: string | string[];
  description?: string;
  enum?: string[];
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  sensitive?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
};

export type DestinationTypeAnswer = {
  type: string;
  aliases: string[];
  title: string;
  settings: FieldAnswer[];
  options: FieldAnswer[];
  fixed_settings: string[];
  /** Settings that a new destination gets if they are left out. */
  when_new: Record<string, unknown>;
  default_granularity: string;
  default_templates: Record<'secret-path' | 'secret-key', string>;
  names: { allowed: string; replacement: string; max_length: number };
  limits: { value_bytes: number; entries: number | null };
};

/** An action on settings: a POST of `attributes` to `path`. `irrevocable`: ask the user to confirm first. */
export type SettingsActionAnswer = {
  path: string;
  title: string;
  description: string;
  attributes: FieldAnswer[];
  irrevocable: boolean;
};

/**
 * Settings at `/api/v2/admin/{type}`; their document has the type `resource`. Without attributes there is no document.
 * `may_be_absent`: the document is 404 until it is written, and a DELETE removes it.
 */
export type SettingsKindAnswer = {
  kind: string;
  type: string;
  resource: string;
  may_be_absent: boolean;
  attributes: FieldAnswer[];
  actions: SettingsActionAnswer[];
};

export type SchemasAnswer = {
  destinations: DestinationTypeAnswer[];
  settings: SettingsKindAnswer[];
  placeholders: readonly string[];
};

export type RevealedAnswer = { text: string; is_text: boolean };
