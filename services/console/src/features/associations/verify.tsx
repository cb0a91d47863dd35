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

type Verified = {
  entries: { sub_key: string; external_name: string; state: string; cause: { message: string } | null }[];
  at: Date;
};

/** Asks the store whether it still has what was written. */
export function VerifyButton({
  type,
  of,
  call,
}: {
  type: string;
  /** One of its entries. */
  of: RecordAnswer | undefined;
  call: Call;
}) {
  const labelled = useLabels(type);
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [verified, setVerified] = useState<Verified | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const verify = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setVerified(null);
    try {
      const found = await ask<Omit<Verified, 'at'>>(call);
      const verifiedNow = { ...found, at: new Date() };
      // The service has stored what it found, so the page reads again.
      await queries.invalidateQueries();
      setVerified(verifiedNow);
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
      {verified?.entries.length === 0 && !of?.external_name ? (
        <Notice tone="info">There is no entry to compare.</Notice>
      ) : null}
      {verified && verified.entries.length > 0 ? (
        <Notice tone={toneOf(verified.entries.map(({ state }) => state))}>
          {verified.entries.map(({ external_name: name, sub_key: key, state, cause }) => (
            <div key={`${key} ${name}`}>
              <p>
                <code>{name}</code> {verifiedText(state)}
                {of?.sub_key === key ? sinceText(state, of) : ''}
                {cause ? `: ${labelled(clauseOf(cause.message))}.` : '.'}
              </p>
              <RequestId message={cause?.message} />
            </div>
          ))}
          <Compared at={verified.at} />
        </Notice>
      ) : null}
    </>
  );
}

function Compared({ at }: Pick<Verified, 'at'>) {
  return (
    <p className={`${kit.small} ${kit.muted}`}>
      Compared <Time at={at} />
    </p>
  );
}

// What the page above says besides: the entry was written since, or a newer version waits, so it matters which one it is.
function sinceText(
  state: string,
  { sync_status: status, drift, source_version: wanted, synced_version: written }: RecordAnswer,
): string {
  const isMended = status === 'SYNCED' && drift === null;
  if (isMended && ['drifted', 'missing'].includes(state)) return ' then, and has been written since';
  return state !== 'in_sync' || written === null || written === wanted ? '' : ` v${written}, as written`;
}
