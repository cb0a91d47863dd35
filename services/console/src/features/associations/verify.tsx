import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { Notice } from '../../kit/notice.tsx';

type Verified = {
  entries: { sub_key: string; external_name: string; state: string; cause: { message: string } | null }[];
};

const WORDS: Record<string, string> = {
  in_sync: 'matches',
  drifted: 'was changed in the store',
  missing: 'was deleted in the store',
  present: 'exists; its value can’t be read',
  not_written: 'isn’t in the store yet',
  foreign: 'isn’t managed by Sealift',
  unknown: 'couldn’t be verified',
};

/** Asks the store whether it still has what was written. */
export function VerifyButton({ call }: { call: Call }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [verified, setVerified] = useState<Verified | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const verify = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setVerified(null);
    try {
      setVerified(await ask<Verified>(call));
      // The service has stored what it found, so the page reads again.
      await queries.invalidateQueries();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  const isGood = verified?.entries.every(({ state }) => state === 'in_sync') ?? false;
  return (
    <>
      <Action call={call} shortcut={{ key: 'v', label: 'Verify' }} busy={busy} onClick={() => void verify()}>
        {busy ? 'Verifying…' : 'Verify'}
      </Action>
      <Refusal failure={failure} />
      {verified ? (
        <Notice tone={isGood ? 'ok' : 'limited'}>
          {verified.entries.map(({ external_name: name, sub_key: key, state, cause }) => (
            <p key={`${key} ${name}`}>
              <code>{name}</code> {WORDS[state] ?? state}
              {cause ? `: ${cause.message}` : '.'}
            </p>
          ))}
        </Notice>
      ) : null}
    </>
  );
}
