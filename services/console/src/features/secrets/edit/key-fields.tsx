import { useState } from 'react';
import type { Call } from '../../../api/curl.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Button } from '../../../kit/button.tsx';
import { Refusal } from '../../../kit/refusing/refusal.tsx';
import kit from '../../../kit/kit.module.css';
import { GuardedButton } from '../../../kit/rights/guarded-button.tsx';
import { LineInput } from '../../../kit/text/line-input.tsx';
import { reveal, revealOf } from '../reveal.ts';
import type { SecretName } from '../split-path.ts';
import { faultOf, formatFor, turnOf, type Added, type Key, type Typed } from './change.ts';
import { ValueField } from './value-field.tsx';

/** A key that is there: it is kept, replaced or deleted. `edit`: undefined if it is kept, null if it is deleted. */
export function KeyField({
  secret,
  version,
  of: { name, type },
  edit,
  change,
}: {
  secret: SecretName;
  version: number;
  of: Key;
  edit: Typed | null | undefined;
  change: (edit: Typed | null | undefined) => void;
}) {
  const call = revealOf(secret, version, [name]);
  const { busy, failure, attempt } = useAttempt();
  // The button that was pressed is gone then, so the focus goes on to the field.
  const [pressed, setPressed] = useState<'replace' | 'reveal' | null>(null);
  const begin = (text: string, button: typeof pressed): void => {
    setPressed(button);
    change({ format: formatFor(type), text });
  };
  const load = () => attempt(async () => begin((await reveal(call)).get(name)?.text ?? '', 'reveal'));
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <div className={kit.row}>
        <KeyName name={name} type={type} />
        {edit === null ? <span className={kit.fault}>will be deleted</span> : null}
        {edit === undefined ? (
          <Choices
            name={name}
            call={call}
            busy={busy}
            replace={() => begin('', 'replace')}
            load={() => void load()}
            remove={() => change(null)}
          />
        ) : (
          <Button aria-label={`Undo ${name}`} onClick={() => change(undefined)}>
            Undo
          </Button>
        )}
      </div>
      <Refusal failure={failure} />
      {edit ? (
        <ValueField
          label={`New value of ${name}`}
          of={name}
          typed={edit}
          note={emptyNote(edit) || turnOf(type, edit)}
          autoFocus={pressed !== null}
          isShown={pressed === 'reveal'}
          change={change}
        />
      ) : null}
    </div>
  );
}

function emptyNote({ format, text }: Typed): string {
  if (text !== '') return '';
  return format === 'text' ? 'Empty: the value will be a text without characters.' : 'Nothing is typed yet.';
}

function KeyName({ name, type }: Pick<Key, 'name' | 'type'>) {
  return (
    <span className={kit.grow}>
      <code>{name}</code>
      {type === 'text' ? null : <span className={kit.muted}> {type}</span>}
    </span>
  );
}

function Choices({
  name,
  call,
  busy,
  replace,
  load,
  remove,
}: {
  name: string;
  /** The call that `load` makes. */
  call: Call;
  busy: boolean;
  replace: () => void;
  load: () => void;
  remove: () => void;
}) {
  return (
    <>
      <Button aria-label={`Replace ${name}`} onClick={replace}>
        Replace
      </Button>
      <GuardedButton call={call} busy={busy} aria-label={`Reveal and change ${name}`} onClick={load}>
        Reveal and change
      </GuardedButton>
      <Button kind="danger" aria-label={`Delete ${name}`} onClick={remove}>
        Delete
      </Button>
    </>
  );
}

/** Keys that are added. */
export function AddedKeys({
  keys,
  added,
  set,
}: {
  keys: Key[];
  added: Added[];
  set: (added: Added[]) => void;
}) {
  // What a row shows, such as its value, must not pass to the one that moves up.
  const [removals, setRemovals] = useState(0);
  const [hasAdded, setHasAdded] = useState(false);
  const remove = (index: number): void => {
    setRemovals(removals + 1);
    setHasAdded(false);
    set(added.toSpliced(index, 1));
  };
  return (
    <>
      {added.map((one, index) => (
        <AddedKey
          key={`${removals} ${index}`}
          label={index === 0 ? 'the new key' : `new key ${index + 1}`}
          one={one}
          fault={faultOf(one, keys, added)}
          set={(next) => set(added.map((other, place) => (place === index ? next : other)))}
          isAdded={hasAdded}
          remove={() => remove(index)}
        />
      ))}
      <div>
        <Button
          key={removals}
          autoFocus={removals > 0}
          onClick={() => {
            setHasAdded(true);
            set([...added, { name: '', format: 'text', text: '' }]);
          }}
        >
          {added.length === 0 ? 'Add a key' : 'Add another key'}
        </Button>
      </div>
    </>
  );
}

function AddedKey({
  label,
  one,
  fault,
  isAdded,
  set,
  remove,
}: {
  label: string;
  one: Added;
  fault: string;
  /** Somebody has just asked for it. */
  isAdded: boolean;
  set: (added: Added) => void;
  remove: () => void;
}) {
  return (
    <fieldset className={`${kit.stack} ${kit.tight}`}>
      <legend className={kit.label}>Add a key</legend>
      <div className={kit.row}>
        <LineInput
          className={kit.grow}
          aria-label={`Name of ${label}`}
          autoFocus={isAdded}
          placeholder="name"
          aria-invalid={fault !== ''}
          value={one.name}
          change={(name) => set({ ...one, name })}
        />
        <Button aria-label={`Remove ${label}`} onClick={remove}>
          Remove
        </Button>
      </div>
      {fault ? <p className={kit.fault}>{fault}</p> : null}
      <ValueField
        label={`Value of ${label}`}
        of={label}
        typed={one}
        note={one.name === '' ? '' : emptyNote(one)}
        change={({ format, text }) => set({ ...one, format, text })}
      />
    </fieldset>
  );
}
