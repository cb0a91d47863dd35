import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { carryOut, pathOf } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Action } from '../../kit/rights/action.tsx';
import type { SecretName } from './split-path.ts';

/** The change of each key: a new value, or null to remove the key. */
type Patch = Record<string, string | null>;

/** The call that writes a new version, based on `version`. */
export function editOf({ mount, path }: SecretName, version: number, data: Patch): Call {
  return {
    method: 'PATCH',
    path: `${pathOf(mount)}/data/${pathOf(path)}`,
    body: { data, options: { cas: version } },
  };
}

/**
 * Changes keys of the version that is shown, and only of that one, so a newer version by somebody else is not
 * overwritten. Values that the user does not touch never come to the browser.
 */
export function EditSecret({
  secret,
  keys,
  version,
  close,
}: {
  secret: SecretName;
  keys: string[];
  version: number;
  close: () => void;
}) {
  const queries = useQueryClient();
  const [patch, setPatch] = useState<Patch>({});
  const [added, setAdded] = useState({ name: '', value: '' });
  const { busy, failure, attempt } = useAttempt();
  const whole = added.name === '' ? patch : { ...patch, [added.name]: added.value };
  const edit = editOf(secret, version, whole);
  const save = (): Promise<boolean> =>
    attempt(async () => {
      await carryOut(edit);
      await queries.invalidateQueries();
      close();
    });

  return (
    <Dialog title={`Edit ${secret.path}`} close={close}>
      <p className={kit.muted}>
        Writes a new version over v{version}. Keys that you do not touch keep their values.
      </p>
      {keys.map((key) => (
        <KeyField
          key={key}
          name={key}
          value={patch[key]}
          change={(value) => setPatch(value === undefined ? without(patch, key) : { ...patch, [key]: value })}
        />
      ))}
      <AddedKey added={added} set={setAdded} />
      {failure ? <FailureNotice failure={explain(failure, version)} /> : null}
      <div className={kit.row}>
        <Action
          call={edit}
          secrets={Object.keys(whole)}
          kind="primary"
          busy={busy}
          disabled={Object.keys(whole).length === 0}
          onClick={() => void save()}
        >
          {`Write v${version + 1}`}
        </Action>
        <Button onClick={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}

type Added = { name: string; value: string };

function AddedKey({ added, set }: { added: Added; set: (added: Added) => void }) {
  return (
    <fieldset className={kit.stack}>
      <legend className={kit.label}>Add a key</legend>
      <input
        className={kit.input}
        aria-label="Name of the new key"
        placeholder="name"
        autoComplete="off"
        spellCheck={false}
        value={added.name}
        onChange={(event) => set({ ...added, name: event.target.value })}
      />
      <input
        className={kit.input}
        aria-label="Value of the new key"
        placeholder="value"
        type="password"
        autoComplete="new-password"
        spellCheck={false}
        value={added.value}
        onChange={(event) => set({ ...added, value: event.target.value })}
      />
    </fieldset>
  );
}

function KeyField({
  name,
  value,
  change: setValue,
}: {
  name: string;
  value: string | null | undefined;
  change: (value: string | null | undefined) => void;
}) {
  return (
    <div className={kit.row}>
      <code className={kit.grow}>{name}</code>
      {value === undefined ? (
        <>
          <Button aria-label={`Replace ${name}`} onClick={() => setValue('')}>
            Replace
          </Button>
          <Button kind="danger" aria-label={`Delete ${name}`} onClick={() => setValue(null)}>
            Delete
          </Button>
        </>
      ) : (
        <>
          {value === null ? (
            <span className={kit.fault}>is deleted</span>
          ) : (
            <input
              className={`${kit.input} ${kit.grow}`}
              aria-label={`New value of ${name}`}
              type="password"
              autoComplete="new-password"
              spellCheck={false}
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
          )}
          <Button aria-label={`Keep ${name}`} onClick={() => setValue(undefined)}>
            Keep
          </Button>
        </>
      )}
    </div>
  );
}

function without(patch: Patch, key: string): Patch {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => name !== key));
}

function explain(error: unknown, version: number): unknown {
  const isStale = error instanceof Error && error.message.includes('check-and-set');
  if (!isStale) return error;
  return new Error(
    `Somebody wrote a newer version than v${version} meanwhile. Nothing was written: close this, look at it, and edit again.`,
  );
}
