import { useEffect, useState } from 'react';
import type { RevealedAnswer } from '../../../../api/contract/secrets.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { copySecret } from '../../kit/copy/clipboard.ts';
import kit from '../../kit/kit.module.css';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import { reveal, revealOf } from './reveal.ts';
import type { SecretName } from './split-path.ts';

const SHOWN_MS = 30_000;

/** The keys of a secret with their values, for a caller who may read those but not the keys alone. */
export function WholeValue({ secret, version }: { secret: SecretName; version: number }) {
  const [values, setValues] = useState<Map<string, RevealedAnswer> | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const call = revealOf(secret, version);

  // Removes the values from the page after a while, or when the page is hidden or shown again.
  useEffect(() => {
    if (values === null) return undefined;
    const hide = (): void => setValues(null);
    const timer = setTimeout(hide, SHOWN_MS);
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [values]);

  if (values)
    return (
      <>
        <Table columns={['Key', 'Value', ACTIONS]}>
          {[...values].map(([name, { text }]) => (
            <ShownRow key={name} name={name} text={text} />
          ))}
        </Table>
        <div>
          <Button onClick={() => setValues(null)}>Hide all</Button>
        </div>
      </>
    );
  return (
    <div className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <p className={kit.muted}>
        You may read this secret, but not its keys without the values. The audit trail says who revealed them.
      </p>
      <div>
        <Action
          call={call}
          busy={busy}
          onClick={() => void attempt(async () => setValues(await reveal(call)))}
        >
          Reveal all
        </Action>
      </div>
      <Refusal failure={failure} />
    </div>
  );
}

function ShownRow({ name, text }: { name: string; text: string }) {
  const [note, setNote] = useState('');
  return (
    <tr>
      <td>
        <code>{name}</code>
      </td>
      <td>
        <code translate="no">{text}</code>
        {note ? (
          <p className={`${kit.small} ${kit.muted}`} role="status">
            {note}
          </p>
        ) : null}
      </td>
      <td>
        {'clipboard' in navigator ? (
          <Button aria-label={`Copy ${name}`} onClick={() => void copySecret(text, setNote)}>
            Copy
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
