import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import type { RecordAnswer } from '../../../../api/contract/associations.ts';
import type { Call } from '../../api/curl.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Time } from '../../kit/time.tsx';
import { useLabels } from '../../schema-form/labels.ts';
import { clauseOf } from '../../../../../libs/telling/cause-titles.ts';
import { RequestId } from '../problems/cause-text.tsx';
import { toneOf, verifiedText } from '../destinations/selection/verified.ts';
import type { SecretName } from '../secrets/split-path.ts';
import { isWrittenSince, useAttempts, type LinkAttempt } from './attempts.ts';

type VerifiedLine = {
  sub_key: string;
  external_name: string;
  state: string;
  /** That has the value, if it is another one than was known. */
  version?: number;
  cause: { message: string } | null;
};

type Verified = {
  entries: VerifiedLine[];
  at: Date;
  /** The newest attempt by then; undefined: the history could not be read. */
  attempt: number | undefined;
};

/** Asks the store whether it still has what was written. */
export function VerifyButton({
  records,
  call,
  ...linked
}: {
  type: string;
  name: string;
  secret: SecretName;
  records: RecordAnswer[];
  call: Call;
}) {
  const { data, refetch } = useAttempts(linked);
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [verified, setVerified] = useState<Verified | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const verify = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setVerified(null);
    try {
      const found = await ask<Pick<Verified, 'entries'>>(call);
      const verifiedNow = { ...found, at: new Date() };
      const { data: history } = await refetch();
      // The service has stored what it found, so the page reads again.
      await queries.invalidateQueries();
      setVerified({ ...verifiedNow, attempt: history && (history.pages[0]?.[0]?.id ?? 0) });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Action call={call} shortcut={{ key: 'v', label: 'Verify' }} busy={busy} onClick={() => void verify()}>
        {busy ? 'Verifying…' : 'Verify'}
      </Action>
      <Refusal failure={failure} />
      {verified?.entries.length === 0 && !records[0]?.external_name ? (
        <Notice tone="info">There is no entry to compare.</Notice>
      ) : null}
      {verified && verified.entries.length > 0 ? (
        <Findings {...{ type: linked.type, verified, records }} attempts={data?.pages.flat() ?? []} />
      ) : null}
    </>
  );
}

function Findings({
  type,
  verified: { entries, at, attempt },
  records,
  attempts,
}: {
  type: string;
  verified: Verified;
  records: RecordAnswer[];
  attempts: LinkAttempt[];
}) {
  const labelled = useLabels(type);
  const isWritten = (entry: VerifiedLine): boolean =>
    attempt !== undefined && isWrittenSince(attempts, entry, attempt);
  return (
    <Notice tone={toneOf(entries.map(({ state }) => state))}>
      {entries.map((entry) => (
        <div key={`${entry.sub_key} ${entry.external_name}`}>
          <p>
            <code>{entry.external_name}</code> {verifiedText(entry.state, isWritten(entry))}
            {isWritten(entry) ? '' : olderText(entry, records)}
            {entry.cause ? `: ${labelled(clauseOf(entry.cause.message))}.` : '.'}
          </p>
          <RequestId message={entry.cause?.message} />
        </div>
      ))}
      <p className={`${kit.small} ${kit.muted}`}>
        {entries.every(({ state }) => state !== 'unknown') ? 'Compared' : 'Tried'} <Time at={at} />
      </p>
    </Notice>
  );
}

// While a newer version waits, it matters which one it is.
function olderText(entry: VerifiedLine, records: RecordAnswer[]): string {
  const record = records.find(
    (one) => one.sub_key === entry.sub_key && one.external_name === entry.external_name,
  );
  const { source_version: wanted, synced_version: written = null } = record ?? {};
  if (entry.state !== 'in_sync') return '';
  if (entry.version !== undefined) return ` v${entry.version}`;
  return written === null || written === wanted ? '' : ` v${written}, as written`;
}
