import { useId, useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/forms.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { usePaused } from '../../kit/paused.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { useWrongField } from '../../kit/refusing/wrong-field.ts';
import { Action } from '../../kit/rights/action.tsx';
import { LineInput } from '../../kit/text/line-input.tsx';
import { isNetwork, namesOfSecrets, sortFaults } from '../../schema-form/fields.ts';
import { SchemaForm, type Edits } from '../../schema-form/schema-form.tsx';
import { CheckNotice, tryCredentials, type Checked } from '../plans/check.tsx';
import { fieldsOfModes } from '../sign-in-modes/modes.ts';
import { SignInMode } from '../sign-in-modes/sign-in-mode.tsx';
import { draftCheckOf, NAME_FIELD, type Draft } from './steps.ts';

type Props = {
  draft: Draft;
  /** What the last step brought back; null: nothing. */
  refusal: unknown;
  setName: (name: string) => void;
  setEdits: (edits: Edits) => void;
  go: (step: number) => void;
};

/** The name and credentials of a store. The user can try them before they are stored. */
export function Credentials({ draft, refusal, setName, setEdits, go }: Props) {
  const { schema } = draft;
  const { busy, failure, checked, check, forget } = useCheck(draft);
  const refused = failure ?? refusal;
  const { byField: faults, rest, wrong } = sortFaults(refused, [NAME_FIELD, ...schema.settings]);
  const frame = useWrongField<HTMLFormElement>(refused);
  const change = (edits: Edits): void => {
    forget();
    setEdits(edits);
  };
  const rename = (next: string): void => {
    change(draft.edits);
    setName(next);
  };
  return (
    <form
      ref={frame}
      className={kit.form}
      onSubmit={(event) => {
        event.preventDefault();
        go(2);
      }}
    >
      <Fields draft={draft} faults={faults} rename={rename} change={change} />
      <div className={kit.end}>
        <Refusal
          failure={failure || wrong.length > 0 ? rest : null}
          wrong={wrong}
          said={failure ? 'Not tested.' : 'Nothing was saved.'}
        />
        {checked ? <CheckNotice checked={checked} of="Credentials" rest="Nothing is saved yet." /> : null}
        <div className={kit.row}>
          <Button kind="primary" type="submit">
            Continue
          </Button>
          <CheckButton draft={draft} busy={busy} check={() => void check()} />
          <Button onClick={() => go(0)}>Back</Button>
        </div>
      </div>
    </form>
  );
}

function Fields({
  draft,
  faults,
  rename,
  change,
}: {
  draft: Draft;
  faults: Record<string, string>;
  rename: (name: string) => void;
  change: (edits: Edits) => void;
}) {
  const { schema, name } = draft;
  const form = (fields: DestinationTypeAnswer['settings']) => (
    <SchemaForm fields={fields} values={schema.when_new} edits={draft.edits} {...{ faults, edit: change }} />
  );
  const ofModes = fieldsOfModes(schema);
  const general = schema.settings.filter((field) => !isNetwork(field) && !ofModes.includes(field));
  return (
    <>
      <section className={`${kit.card} ${kit.stack}`}>
        <h2>{schema.title}</h2>
        <NameField name={name} fault={faults[NAME_FIELD.name]} setName={rename} />
        {form(general)}
        <SignInMode
          schema={schema}
          name={name}
          values={schema.when_new}
          edits={draft.edits}
          faults={faults}
          edit={change}
          draw={form}
        />
      </section>
      <details className={kit.card}>
        <summary>Network restrictions</summary>
        {form(schema.settings.filter(isNetwork))}
      </details>
    </>
  );
}

// The refusal and the check of what is typed; both are forgotten as soon as something else is typed.
function useCheck(draft: Draft) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const { busy, failure, attempt, forget } = useAttempt();
  return {
    busy,
    failure,
    checked,
    check: () =>
      attempt(async () => {
        setChecked(null);
        setChecked(await tryCredentials(draftCheckOf(draft, draft.name)));
      }),
    forget: () => {
      forget();
      setChecked(null);
    },
  };
}

function CheckButton({ draft, busy, check }: { draft: Draft; busy: boolean; check: () => void }) {
  const name = usePaused(draft.name);
  return (
    <Action
      call={draftCheckOf(draft, name)}
      secrets={namesOfSecrets(draft.schema.settings)}
      // Which right is needed depends on the name.
      isAllowed={name === ''}
      busy={busy}
      onClick={check}
    >
      {busy ? 'Testing…' : 'Test connection'}
    </Action>
  );
}

function NameField({
  name,
  fault,
  setName,
}: {
  name: string;
  fault: string | undefined;
  setName: (name: string) => void;
}) {
  const id = useId();
  return (
    <div className={kit.field}>
      <span>
        <label className={kit.label} htmlFor={id}>
          {NAME_FIELD.title}
        </label>{' '}
        <span className={`${kit.small} ${kit.muted}`} aria-hidden>
          required
        </span>
      </span>
      <LineInput
        id={id}
        required
        pattern="[A-Za-z0-9_.\-]{1,128}"
        title='Use 1 to 128 letters, digits, "_", "." or "-".'
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        placeholder="production"
        value={name}
        change={setName}
      />
      {fault ? (
        <p id={`${id}-fault`} className={kit.fault}>
          {fault}
        </p>
      ) : null}
    </div>
  );
}
