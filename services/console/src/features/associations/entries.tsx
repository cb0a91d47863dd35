import { useQuery } from '@tanstack/react-query';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import { keysQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Status, statusByCause } from '../../kit/status.tsx';
import { PathText } from '../../kit/text/path-text.tsx';
import { Table } from '../../kit/table.tsx';
import { partsOfMessage } from '../../../../../libs/telling/cause-titles.ts';
import { CauseText } from '../problems/cause-text.tsx';
import type { SecretName } from '../secrets/split-path.ts';
import { useAttempts, wasForeign, type LinkAttempt } from './attempts.ts';
import { lastTaken, mayBeGone } from './doubts/last-known.ts';
import { Rename } from './rename.tsx';

type Linked = { type: string; name: string; secret: SecretName; records: RecordAnswer[] };

/** What the store holds of a link, entry by entry, and what is not there yet. */
export function Entries({ records, isTaken, ...linked }: Linked & { isTaken: boolean }) {
  const own = records[0]?.secret_name_template ?? null;
  const keys = usePendingKeys(linked.secret, records);
  const attempts = useAttempts(linked).data?.pages.flat() ?? [];
  // The status above tells one of them alone. Each request to the store has an id of its own.
  const causes = new Set(records.flatMap(({ cause }) => (cause ? partsOfMessage(cause.message).text : [])));
  return (
    <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="entries">
      <h2 id="entries">In the store</h2>
      <Table columns={['Key', 'Name in the store', 'Status', 'Version']}>
        {records.map((record) => (
          <tr key={`${record.sub_key} ${record.external_name}`}>
            <td>
              {record.sub_key || (
                <span className={kit.muted}>{record.external_name ? 'Entire secret' : '–'}</span>
              )}
            </td>
            <td>
              <code>
                <PathText path={record.external_name || '–'} />
              </code>
              <OtherEntries of={record} />
            </td>
            <td>
              {isThereAlready(record, records) && !wasForeign(attempts, record) ? (
                <span className={kit.muted}>v{record.source_version} is in the store</span>
              ) : (
                <Status status={statusByCause(record.sync_status, record.cause ?? record.last_failure)} />
              )}
              {causes.size > 1 ? <CauseText type={linked.type} cause={record.cause} /> : null}
            </td>
            <td>{versionOf(record, keys, attempts)}</td>
          </tr>
        ))}
        <PlannedKeys records={records} keys={keys} />
      </Table>
      {own === null ? null : (
        <p className={kit.muted}>
          This secret has its own name template: <code>{own}</code>
        </p>
      )}
      {isTaken || isLeaving(records) ? null : (
        <div className={kit.row}>
          <Rename {...linked} records={records} />
        </div>
      )}
    </section>
  );
}

// While its name changes. The entry with the new name is written before the former one is deleted.
function OtherEntries({ of: { other_entries: others = [], synced_version: synced } }: { of: RecordAnswer }) {
  return others.map(({ external_name: name, synced_version: version }) => (
    <p key={name} className={kit.muted}>
      {synced === null ? 'Still in the store:' : 'Also in the store:'}{' '}
      <code>
        <PathText path={name} />
      </code>
      {version === null ? null : ` (v${version})`}
    </p>
  ));
}

const TOGETHER = new Set(['THROTTLED', 'PENDING', 'SYNCING']);

/** Whether the keys of a link wait, or fail for one cause such as credentials, together: those that have the newest value wait for nothing. */
export function areHeldUp(records: RecordAnswer[], status: string): boolean {
  const [first] = records;
  return (
    TOGETHER.has(status) ||
    (status !== 'DRIFTED' &&
      records.every(({ cause }) => cause !== null && cause.code === first?.cause?.code))
  );
}

function isThereAlready(record: RecordAnswer, records: RecordAnswer[]): boolean {
  const isAlike =
    areHeldUp(records, record.sync_status) &&
    record.drift === null &&
    (record.cause === null || !TOGETHER.has(record.sync_status));
  const isOtherLacking = records.some((other) => isBehind(other) || other.drift !== null);
  return isAlike && !isBehind(record) && !record.unlinking && isOtherLacking;
}

// Keys get entries with a plan, so those of a version that waits have none.
function PlannedKeys({ records, keys }: { records: RecordAnswer[]; keys: string[] | undefined }) {
  const waiting = records.find(isBehind);
  if (!waiting) return null;
  return keys
    ?.filter((key) => records.every(({ sub_key: known }) => known !== key))
    .map((key) => (
      <tr key={key}>
        <td>{key}</td>
        <td>–</td>
        <td>
          <Status status={statusByCause(waiting.sync_status, waiting.cause ?? waiting.last_failure)} />
        </td>
        <td>v{waiting.source_version} (not in the store yet)</td>
      </tr>
    ));
}

// The keys of the version that is not everywhere yet; undefined where they make no difference or may not be read.
function usePendingKeys({ mount, path }: SecretName, records: RecordAnswer[]): string[] | undefined {
  const behind = records.find((record) => record.sub_key !== '' && isBehind(record));
  const version = behind?.source_version ?? null;
  const { data } = useQuery({ ...keysQuery(mount, path, version ?? 0), enabled: version !== null });
  return version === null ? undefined : data?.map(({ name }) => name);
}

/** Whether something was done in the store that Sealift does once more, because an older call could still take effect. */
export function isUnsure({ unconfirmed }: RecordAnswer): boolean {
  return unconfirmed !== undefined;
}

/** Whether the link ends: another name for it would withdraw that. */
export function isLeaving(records: RecordAnswer[]): boolean {
  return records.some(({ unlinking }) => unlinking);
}

function isBehind({ unlinking, source_version: source, synced_version: synced }: RecordAnswer): boolean {
  return !unlinking && source !== synced;
}

// What the store has in place of the version that was written.
const OTHERS: Record<string, string> = {
  conflict: 'the store has an entry that isn’t Sealift’s',
  changed_outside: 'changed in the store',
  gone_outside: 'deleted in the store',
};

// `isForeign`: an attempt found an entry of somebody else, which no attempt since has come to.
function otherOf({ drift, cause }: RecordAnswer, isForeign: boolean): string | undefined {
  // A store that shows no values says of a change only that there was one.
  const isSeen = drift?.code === 'changed_outside' && drift.found !== null;
  // Whether a write since has come through is not known.
  if (drift?.written === null)
    return isSeen
      ? 'when last read, the store had a value that isn’t Sealift’s'
      : `when last read, ${OTHERS[drift.code] ?? drift.code}`;
  if (isSeen) return 'the store has a value that isn’t Sealift’s';
  const known = OTHERS[drift?.code ?? cause?.code ?? ''];
  return known ?? (isForeign ? 'when last read, the store had an entry that isn’t Sealift’s' : undefined);
}

function versionOf(record: RecordAnswer, keys: string[] | undefined, attempts: LinkAttempt[]): string {
  const { source_version: source, synced_version: synced, sub_key: key } = record;
  const wanted = source === null ? 'deleted' : `v${source}`;
  const isForeign = wasForeign(attempts, record);
  const other = otherOf(record, isForeign);
  const taken = isForeign ? null : lastTaken(attempts, record);
  if (record.unlinking && isUnsure(record)) return 'deleted (to be confirmed)';
  const isDoubtful = mayBeGone(attempts, record);
  // No newer version is written any more.
  if (record.unlinking)
    return synced === null
      ? '–'
      : `v${synced} (${other ?? `being unlinked${isDoubtful ? ', may be gone already' : ''}`})`;
  if (other !== undefined && synced !== null) return `${wanted} (${other})`;
  if (isUnsure(record)) return `${wanted} (to be confirmed)`;
  if (!isBehind(record)) return source === null ? '–' : isDoubtful ? `${wanted} (may be gone)` : wanted;
  if (keys?.includes(key) === false)
    return `${synced === null ? 'Not in the store' : `v${synced}`} (v${source} has no such key)`;
  if (taken !== null && taken === source) return `${wanted} (to be confirmed)`;
  const present = taken ?? synced;
  if (isDoubtful && source !== null && present !== null)
    return `${wanted} (store may have v${present}, ${wanted} or nothing)`;
  if (record.in_doubt)
    return present === null
      ? `${wanted} (may be in the store)`
      : `${wanted} (store has v${present}, or already ${wanted})`;
  return present === null ? `${wanted} (not in the store yet)` : `${wanted} (store has v${present})`;
}
