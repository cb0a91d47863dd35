import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RevealedAnswer } from '../../../../api/contract/secrets.ts';
import { keysQuery } from '../../api/queries.ts';
import { useAttempt, type Attempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { copySecret } from '../../kit/copy/clipboard.ts';
import kit from '../../kit/kit.module.css';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { GuardedButton } from '../../kit/rights/guarded-button.tsx';
import { ACTIONS, Table } from '../../kit/table.tsx';
import type { Key } from './edit/change.ts';
import { useEditCall } from './edit/only-whole.ts';
import { reveal, revealOf } from './reveal.ts';
import type { SecretName } from './split-path.ts';

const SHOWN_MS = 30_000;

type Props = {
  secret: SecretName;
  version: number;
  /** Opens the editor, which needs the keys; absent: this version cannot be edited. */
  edit?: (() => void) | undefined;
};

/** The keys of a secret with their values, for a caller who may read those but not the keys alone. */
export function WholeValue(props: Props) {
  const { secret, version } = props;
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
    <Offer
      {...props}
      busy={busy}
      failure={failure}
      revealAll={() => void attempt(async () => setValues(await reveal(call)))}
      attempt={attempt}
    />
  );
}

function Offer({
  secret,
  version,
  edit,
  busy,
  failure,
  revealAll,
  attempt,
}: Props & Pick<Attempt, 'busy' | 'failure' | 'attempt'> & { revealAll: () => void }) {
  const queries = useQueryClient();
  const call = revealOf(secret, version);
  const editing = useEditCall(secret, version);
  const begin = async (): Promise<void> => {
    const keys = keysIn(await reveal(call));
    queries.setQueryData(keysQuery(secret.mount, secret.path, version).queryKey, keys);
    edit?.();
  };
  return (
    <div className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <p className={kit.muted}>
        You may read this secret, but not its keys without the values. The audit trail says who revealed them.
      </p>
      <div className={kit.row}>
        <Action call={call} busy={busy} onClick={revealAll}>
          Reveal all
        </Action>
        {edit ? (
          <GuardedButton call={[call, editing]} busy={busy} onClick={() => void attempt(begin)}>
            Reveal all and edit
          </GuardedButton>
        ) : null}
      </div>
      <Refusal failure={failure} />
    </div>
  );
}

// The same that a caller with the right to the keys alone is told.
function keysIn(values: Map<string, RevealedAnswer>): Key[] {
  return [...values].map(([name, { text, is_text: isText }]) => ({
    name,
    type: isText ? 'text' : typeIn(text),
  }));
}

function typeIn(json: string): Key['type'] {
  const value: unknown = JSON.parse(json);
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as Key['type'];
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
