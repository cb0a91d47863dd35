import { useEffect, useState } from 'react';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { copySecret } from '../../kit/copy/clipboard.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import kit from '../../kit/kit.module.css';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import type { Key } from './edit/change.ts';
import { reveal, revealOf } from './reveal.ts';
import type { SecretName } from './split-path.ts';

const SHOWN_MS = 30_000;

/** A key. Shows its value for half a minute after the user asks for it. */
export function KeyRow({
  secret,
  of: { name, type },
  version,
}: {
  secret: SecretName;
  of: Key;
  version: number;
}) {
  const call = revealOf(secret, version, [name]);
  const { value, note, failure, show, hide, copy } = useValue(secret, name, version);
  return (
    <tr>
      <td>
        <code>{name}</code>
        {type === 'text' ? null : <p className={`${kit.small} ${kit.muted}`}>{type}</p>}
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
        <Refusal failure={failure} />
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
  const read = async () => (await reveal(revealOf(secret, version, [name]))).get(name)?.text ?? '';

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
    show: () => void attempt(async () => setValue(await read())),
    hide: () => setValue(null),
    copy: () =>
      void attempt(async () => {
        await copySecret(await read(), setNote);
      }),
  };
}
