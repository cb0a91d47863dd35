import { useId, useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/forms.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { usePaused } from '../../kit/paused.ts';
import { Action } from '../../kit/rights/action.tsx';
import { LineInput } from '../../kit/text/line-input.tsx';
import { namesOfSecrets, sortFaults } from '../../schema-form/fields.ts';
import { SchemaForm, type Edits } from '../../schema-form/schema-form.tsx';
import { CheckNotice, tryCredentials, type Checked } from '../plans/check.tsx';
import { draftCheckOf, type Draft } from './steps.ts';

type Props = {
  draft: Draft;
  faults: Record<string, string>;
  setName: (name: string) => void;
  setEdits: (edits: Edits) => void;
  go: (step: number) => void;
};

/** The name and credentials of a store. The user can try them before they are stored. */
export function Credentials({ draft, faults, setName, setEdits, go }: Props) {
  const { schema, name } = draft;
  const [checked, setChecked] = useState<Checked | null>(null);
  const { busy, failure, attempt } = useAttempt();
  const sorted = sortFaults(failure, schema.settings);
  const check = () =>
    attempt(async () => {
      setChecked(null);
      setChecked(await tryCredentials(draftCheckOf(draft, name)));
    });
  const form = (fields: DestinationTypeAnswer['settings']) => (
    <SchemaForm
      fields={fields}
      values={schema.when_new}
      edits={draft.edits}
      faults={{ ...faults, ...sorted.byField }}
      edit={(edits) => {
        // The check was for other credentials.
        setChecked(null);
        setEdits(edits);
      }}
    />
  );
  return (
    <form
      className={kit.form}
      onSubmit={(event) => {
        event.preventDefault();
        go(2);
      }}
    >
      <section className={`${kit.card} ${kit.stack}`}>
        <h2>{schema.title}</h2>
        <NameField name={name} setName={setName} />
        {form(schema.settings.filter(({ name: field }) => !isNetwork(field)))}
      </section>
      <details className={kit.card}>
        <summary>Network restrictions</summary>
        {form(schema.settings.filter(({ name: field }) => isNetwork(field)))}
      </details>
      {sorted.rest ? <FailureNotice failure={sorted.rest} /> : null}
      {checked ? <CheckNotice checked={checked} of="Credentials" rest="Nothing is saved yet." /> : null}
      <div className={kit.end}>
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

function NameField({ name, setName }: { name: string; setName: (name: string) => void }) {
  const id = useId();
  return (
    <div className={kit.field}>
      <span>
        <label className={kit.label} htmlFor={id}>
          Destination name
        </label>{' '}
        <span className={`${kit.small} ${kit.muted}`} aria-hidden>
          required
        </span>
      </span>
      <LineInput
        id={id}
        required
        pattern="[A-Za-z0-9_.\-]{1,128}"
        title="1 to 128 letters, digits, or any of _.-"
        placeholder="production"
        value={name}
        change={setName}
      />
    </div>
  );
}

function isNetwork(field: string): boolean {
  return field.startsWith('allowed_') || field === 'disable_strict_networking';
}
