/** Shapes of answers that the web console reads: types alone, so that whoever imports them loads nothing. Times are RFC 3339. */

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
};

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

/** A field of a form: its name beside its JSON Schema. */
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
  default_granularity: string;
  default_templates: Record<'secret-path' | 'secret-key', string>;
  names: { allowed: string; replacement: string; max_length: number };
  limits: { value_bytes: number; entries: number | null };
};

export type SettingsKindAnswer = { kind: string; type: string; attributes: FieldAnswer[] };

export type SchemasAnswer = {
  destinations: DestinationTypeAnswer[];
  settings: SettingsKindAnswer[];
  placeholders: readonly string[];
};

export type RevealedAnswer = { text: string; is_text: boolean };
