import type {
  AssociationRecord,
  EntryRecord,
  StoredCause,
} from '../../../libs/store/associations/records.ts';
import type { DestinationsOfSecretAnswer, DriftAnswer, RecordAnswer } from '../contract/associations.ts';

const PRINT_LENGTH = 12;

type Status = { sync_status: string; cause: StoredCause | null; next_attempt_at: string | null };

/**
 * One record for each key of each association, by `{accessor}/{secret}[/{key}]`. If two records have the same text (the
 * key `b/c` of `a`, and the key `c` of `a/b`), `#2` is added to the second.
 */
export function presentAssociations(records: AssociationRecord[]): Record<string, RecordAnswer> {
  const shown = new Map<string, RecordAnswer>();
  for (const record of records) {
    for (const entry of shownEntries(record)) {
      let key = [record.accessor, record.secret_path, entry.subKey].filter(Boolean).join('/');
      while (shown.has(key)) key += '#2';
      shown.set(key, presentEntry(record, entry));
    }
  }
  return Object.fromEntries(shown);
}

/** The destinations of one secret, by `{type}/{name}[/{key}]`. */
export function presentDestinationsOfSecret(
  records: AssociationRecord[],
): DestinationsOfSecretAnswer['associated_destinations'] {
  return Object.fromEntries(
    records.flatMap((record) =>
      shownEntries(record).map((entry) => {
        const { sync_status, cause } = statusOf(record, entry);
        const key = [record.type, record.destination, entry.subKey].filter(Boolean).join('/');
        return [
          key,
          {
            type: record.type,
            name: record.destination,
            sub_key: entry.subKey,
            sync_status,
            updated_at: newest(record, entry),
            cause,
          },
        ];
      }),
    ),
  );
}

function presentEntry(record: AssociationRecord, entry: EntryRecord): RecordAnswer {
  const status = statusOf(record, entry);
  return {
    accessor: record.accessor,
    mount: record.mount,
    secret_name: record.secret_path,
    sub_key: entry.subKey,
    external_name: entry.externalName,
    sync_status: status.sync_status,
    updated_at: newest(record, entry),
    source_version: record.source_version,
    synced_version: entry.syncedVersion,
    cause: status.cause,
    drift: presentDrift(entry.drift),
    // The row counts the failures since the last trigger. A success was one attempt more.
    attempts: record.attempts + (status.sync_status === 'SYNCED' ? 1 : 0),
    next_attempt_at: status.next_attempt_at,
  };
}

/** The only place where rows become a status. */
function statusOf(record: AssociationRecord, entry: EntryRecord): Status {
  if (record.leased) return plain(record.removing ? 'UNSYNCING' : 'SYNCING');
  const outstanding = record.due || record.generation !== record.synced_generation;
  if (record.disabled && outstanding) return plain('PENDING');
  if (record.due && record.throttled)
    return { ...plain('THROTTLED'), next_attempt_at: record.throttled_until };
  const failure = record.destination_failure;
  if (record.due && failure)
    return { sync_status: failure.class, cause: failure, next_attempt_at: record.probe_at };
  const waiting = plain(record.removing ? 'UNSYNCING' : 'PENDING');
  if (record.due) return waiting;
  const cause = record.failure ?? entry.cause;
  if (cause) return { sync_status: cause.class, cause, next_attempt_at: record.due_at };
  if (record.removing) return { ...waiting, next_attempt_at: record.due_at };
  if (outstanding) return waiting;
  if (entry.status === 'SYNCED' && entry.drift) {
    const { class: sync_status, code, message } = entry.drift;
    return { sync_status, cause: { class: sync_status, code, message }, next_attempt_at: null };
  }
  // The entry was written while an older call could still take effect. The worker writes it again when that is over.
  const isUnconfirmed = entry.status === 'SYNCING' || entry.status === 'UNSYNCING';
  return { ...plain(entry.status), next_attempt_at: isUnconfirmed ? record.due_at : null };
}

function plain(status: string): Status {
  return { sync_status: status, cause: null, next_attempt_at: null };
}

// While the name of a key changes, the key has two rows. We show the one that failed, otherwise the newer one.
function shownEntries(record: AssociationRecord): EntryRecord[] {
  const shown = new Map<string, EntryRecord>();
  for (const entry of record.entries ?? []) {
    if (!shown.get(entry.subKey)?.cause || entry.cause) shown.set(entry.subKey, entry);
  }
  return shown.size > 0 ? [...shown.values()] : [withoutEntry(record)];
}

// For an association without a row in the ledger. Either nothing was planned yet, or nothing is in the store. The
// latter means in sync for a live version that has no keys.
function withoutEntry(record: AssociationRecord): EntryRecord {
  const isPushed = record.source_version !== null && record.synced_generation === record.generation;
  return {
    subKey: '',
    externalName: '',
    status: isPushed ? 'SYNCED' : 'UNSYNCED',
    cause: null,
    syncedVersion: isPushed ? record.source_version : null,
    updatedAt: record.updated_at,
    drift: null,
  };
}

// Shows only the first characters of fingerprints, which are enough to tell two apart.
function presentDrift(drift: EntryRecord['drift']): DriftAnswer | null {
  if (!drift) return null;
  const { code, since, written, found } = drift;
  const short = (print: string | null) => print?.slice(0, PRINT_LENGTH) ?? null;
  return { code, since, written: short(written), found: short(found) };
}

function newest(record: AssociationRecord, entry: EntryRecord): string {
  return record.updated_at > entry.updatedAt ? record.updated_at : entry.updatedAt;
}
