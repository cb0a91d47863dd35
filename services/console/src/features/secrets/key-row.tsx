import { useEffect, useState } from 'react';
import type { RevealedAnswer } from '../../../../api/contract/answers.ts';
import { ask, pathOf } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { readOf } from '../../api/right.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { copySecret } from '../../kit/copy/clipboard.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import type { SecretName } from './split-path.ts';

const SHOWN_MS = 30_000;

/** Fetches one value. The audit trail has an entry before the value arrives. */
async function reveal(secret: SecretName, key: string, version: number): Promise<string> {
  const call = revealOf(secret, key, version);
  const { values } = await ask<{ values: Record<string, RevealedAnswer> }>(call);
  return values[key]?.text ?? '';
}

function revealOf(secret: SecretName, key: string, version: number): Call {
  return {
    method: 'POST',
    path: `sys/reveal/${pathOf(secret.mount, secret.path)}`,
    body: { keys: [key], version },
    // It shows what a read of the secret shows, to the same people.
    rights: [readOf(secret)],
  };
}

/** A key. Shows its value for half a minute after the user asks for it. */
export function KeyRow({ secret, name, version }: { secret: SecretName; name: string; version: number }) {
  const call = revealOf(secret, name, version);
  const { value, note, failure, show, hide, copy } = useValue(secret, name, version);
  return (
    <tr>
      <td>
        <code>{name}</code>
      </td>
      <td>
        {value === null ? (
          <span className={kit.muted} aria-label="not shown">
            ••••••
          </span>
        ) : (
          <code translate="no">{value}</code>
        )}
        {note ? (
          <p className={`${kit.small} ${kit.muted}`} role="status">
            {note}
          </p>
        ) : null}
        {failure ? <FailureNotice failure={failure} /> : null}
      </td>
      <td>
        <div className={kit.row}>
          {value === null ? (
            <Action call={call} aria-label={`Reveal ${name}`} onClick={show}>
              Reveal
            </Action>
          ) : (
            <Button aria-label={`Hide ${name}`} onClick={hide}>
              Hide
            </Button>
          )}
          {'clipboard' in navigator ? (
            <GuardedButton call={call} aria-label={`Copy ${name}`} onClick={copy}>
              Copy
            </GuardedButton>
          ) : null}
        </div>
      </td>
    </tr>
  );
}

function useValue(secret: SecretName, name: string, version: number) {
  const [value, setValue] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const { failure, attempt } = useAttempt();

  // Removes the value from the page after a while, or when the page is hidden or shown again.
  useEffect(() => {
    if (value === null) return undefined;
    const hide = (): void => setValue(null);
    const timer = setTimeout(hide, SHOWN_MS);
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [value]);

  return {
    value,
    note,
    failure,
    show: () => void attempt(async () => setValue(await reveal(secret, name, version))),
    hide: () => setValue(null),
    copy: () =>
      void attempt(async () => {
        await copySecret(await reveal(secret, name, version), setNote);
      }),
  };
}
