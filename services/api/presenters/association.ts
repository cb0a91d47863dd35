import { groupBy } from '../../../libs/collections/group-by.ts';
import type { AssociationRecord, EntryRecord } from '../../../libs/store/associations/records.ts';
import type { DestinationsOfSecretAnswer, DriftAnswer, RecordAnswer } from '../contract/associations.ts';

/** How many characters of a fingerprint are shown. */
export const PRINT_LENGTH = 12;

/**
 * One record for each key of each association, by `{accessor}/{secret}[/{key}]`. If two records have the same text (the
 * key `b/c` of `a`, and the key `c` of `a/b`), `#2` is added to the second. The records are ordered by mount and path.
 */
export function presentAssociations(records: AssociationRecord[]): Record<string, RecordAnswer> {
  return Object.fromEntries(createAssociationPresenter()(records));
}

/** The same for records that come page by page. */
export function createAssociationPresenter(): (records: AssociationRecord[]) => [string, RecordAnswer][] {
  // Texts that a later record may have too: its path begins with the path of this one.
  let open: { accessor: string; path: string; texts: Set<string> }[] = [];
  const present = (record: AssociationRecord): [string, RecordAnswer][] => {
    const { accessor, secret_path: path } = record;
    open = open.filter((former) => former.accessor === accessor && path.startsWith(former.path));
    const texts = new Set<string>();
    const isTaken = (text: string): boolean => [{ texts }, ...open].some((known) => known.texts.has(text));
    const shown = shownEntries(record).map(({ entry, others }): [string, RecordAnswer] => {
      let text = [accessor, path, entry.subKey].filter(Boolean).join('/');
      while (isTaken(text)) text += '#2';
      texts.add(text);
      return [text, { ...presentEntry(record, entry), ...presentOthers(others) }];
    });
    if (!texts.has(`${accessor}/${path}`)) open.push({ accessor, path, texts });
    return shown;
  };
  return (records) => records.flatMap(present);
}

/** The destinations of one secret, by `{type}/{name}[/{key}]`. */
export function presentDestinationsOfSecret(
  records: AssociationRecord[],
): DestinationsOfSecretAnswer['associated_destinations'] {
  return Object.fromEntries(
    records.flatMap((record) =>
      shownEntries(record).map(({ entry }) => {
        const key = [record.type, record.destination, entry.subKey].filter(Boolean).join('/');
        return [
          key,
          {
            type: record.type,
            name: record.destination,
            sub_key: entry.subKey,
            sync_status: entry.status,
            updated_at: newest(record, entry),
            cause: entry.cause,
            ...(entry.lastFailure ? { last_failure: entry.lastFailure } : {}),
            ...(entry.drift ? { drift: entry.drift.code } : {}),
            ...presentAsked(record),
          },
        ];
      }),
    ),
  );
}

function presentEntry(record: AssociationRecord, entry: EntryRecord): RecordAnswer {
  return {
    accessor: record.accessor,
    mount: record.mount,
    secret_name: record.secret_path,
    sub_key: entry.subKey,
    external_name: entry.externalName,
    secret_name_template: record.template,
    sync_status: entry.status,
    updated_at: newest(record, entry),
    source_version: record.source_version,
    synced_version: entry.syncedVersion,
    cause: entry.cause,
    ...(entry.lastFailure ? { last_failure: entry.lastFailure } : {}),
    drift: presentDrift(entry.drift),
    // The row counts the failures since the last trigger. A success was one attempt more.
    attempts: record.attempts + (entry.status === 'SYNCED' ? 1 : 0),
    next_attempt_at: entry.nextAttemptAt,
    ...(record.leased ? { running: true } : {}),
    ...(entry.unconfirmed ? { unconfirmed: entry.unconfirmed } : {}),
    ...(entry.outOfSyncSince === null ? {} : { out_of_sync_since: entry.outOfSyncSince }),
    ...(entry.inDoubt ? { in_doubt: true as const } : {}),
    ...presentAsked(record),
  };
}

/** What people asked for about an association that is still to be done. */
export function presentAsked({
  removing,
  waiting,
  decision,
}: Pick<AssociationRecord, 'removing' | 'waiting' | 'decision'>): Pick<
  RecordAnswer,
  'unlinking' | 'waiting' | 'decision'
> {
  return {
    ...(removing ? { unlinking: true } : {}),
    ...(waiting ? { waiting } : {}),
    ...(decision ? { decision } : {}),
  };
}

// While the name of a key changes, the key has two rows. We show the one that failed, otherwise the newer one. The other one
// is still in the store, or already there.
function shownEntries({ entries }: AssociationRecord): { entry: EntryRecord; others: EntryRecord[] }[] {
  return [...groupBy(entries, ({ subKey }) => subKey).values()].map((rows) => {
    const entry = rows.reduce((shown, next) => (shown.hasFailed && !next.hasFailed ? shown : next));
    const isOther = ({ isPresent, externalName }: EntryRecord): boolean =>
      isPresent && externalName !== entry.externalName;
    return { entry, others: rows.filter(isOther) };
  });
}

function presentOthers(others: EntryRecord[]): Pick<RecordAnswer, 'other_entries'> {
  if (others.length === 0) return {};
  return {
    other_entries: others.map(({ externalName, syncedVersion }) => ({
      external_name: externalName,
      synced_version: syncedVersion,
    })),
  };
}

// Shows only the first characters of fingerprints, which are enough to tell two apart.
function presentDrift(drift: EntryRecord['drift']): DriftAnswer | null {
  if (!drift) return null;
  const { code, since, written, found, foreign: isForeign = false } = drift;
  const short = (print: string | null) => print?.slice(0, PRINT_LENGTH) ?? null;
  return { code, since, written: short(written), found: short(found), foreign: isForeign };
}

function newest(record: AssociationRecord, entry: EntryRecord): string {
  return record.updated_at > entry.updatedAt ? record.updated_at : entry.updatedAt;
}
