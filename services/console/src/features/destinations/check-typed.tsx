import { useState } from 'react';
import type { Call } from '../../api/curl.ts';
import { destinationPath } from '../../api/queries.ts';
import { rightFor } from '../../api/right.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import { CheckNotice, tryCredentials, type Checked } from '../plans/check.tsx';

/** The call that tests a destination with the settings of a PATCH, or as it is stored if there are none. */
export function checkOf(type: string, name: string, body: Record<string, unknown>): Call {
  const path = `${destinationPath(type, name)}/check`;
  const check = rightFor('POST', path);
  if (Object.keys(body).length === 0) return { method: 'POST', path, rights: [check] };
  return { method: 'POST', path, body, rights: [check, rightFor('PATCH', destinationPath(type, name))] };
}

/** Tests what a form shows, typed or stored. The result goes away as soon as the form shows something else. */
export function CheckTyped({
  type,
  name,
  edits,
  body,
  secrets,
}: {
  type: string;
  name: string;
  edits: Edits;
  /** The body of the call that saves the edits. */
  body: Record<string, unknown>;
  /** Names of the secret fields. */
  secrets: string[];
}) {
  const [result, setResult] = useState<{ checked: Checked; of: Edits } | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const call = checkOf(type, name, body);
  const check = () =>
    attempt(async () => {
      setResult(null);
      setResult({ checked: await tryCredentials(call), of: edits });
    });
  const checked = result?.of === edits ? result.checked : null;
  const isTyped = Object.keys(edits).length > 0;
  return (
    <>
      <Action call={call} secrets={secrets} busy={busy} onClick={() => void check()}>
        {busy ? 'Testing…' : 'Test connection'}
      </Action>
      <Refusal failure={failure} />
      {checked ? (
        <CheckNotice
          checked={checked}
          of={isTyped ? 'Credentials' : 'Stored credentials'}
          rest={isTyped ? 'Not saved yet.' : ''}
        />
      ) : null}
    </>
  );
}
