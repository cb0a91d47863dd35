import type { CauseAnswer } from './answers.ts';

export type CheckAnswer = { ok: boolean; cause: CauseAnswer | null; ms: number };

/** What would happen to one entry. `unknown`: the plan needs the store's answer and did not get it. */
export type PlanStepAnswer = {
  sub_key: string;
  external_name: string;
  action:
    | 'create'
    | 'update'
    | 'unchanged'
    | 'conflict'
    | 'refused'
    | 'delete'
    | 'retain'
    | 'overwrite'
    | 'adopt'
    | 'unknown';
  reason: string | null;
};

/** The result of asking the store: how many entries need its answer, and for how many the answer is missing. */
export type LookAnswer = { entries: number; unknown: number; cause: CauseAnswer | null };

export type PlannedSecretAnswer = {
  mount: string;
  secret_name: string;
  source_version: number | null;
  is_fallback: boolean;
  planned: PlanStepAnswer[];
  /** Why the secret cannot be planned. */
  error: string | null;
};

export type PlanAnswer = {
  store_name: string;
  store_type: string;
  secrets: PlannedSecretAnswer[];
  totals: Partial<Record<PlanStepAnswer['action'] | 'error', number>>;
  next_after: string | null;
  /** Null if the store was not asked. */
  look: LookAnswer | null;
};

export type PreviewAnswer = {
  names: {
    mount: string;
    secret_name: string;
    sub_key: string;
    external_name: string;
    /** Why there is no name. */
    fault: string | null;
  }[];
};

/** The outcome for one secret. Send it again if it is `unknown` or `not_tried`; that is harmless. */
export type BulkOutcome = {
  mount: string;
  secret_name: string;
  outcome: 'linked' | 'refreshed' | 'removing' | 'absent' | 'refused' | 'unknown' | 'not_tried';
  error: string | null;
};

export type BulkAnswer = {
  store_name: string;
  store_type: string;
  secrets: BulkOutcome[];
  totals: Partial<Record<BulkOutcome['outcome'], number>>;
  next_after: string | null;
};
