import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/forms.ts';
import { identityQuery, identityRight } from '../../api/queries.ts';
import { mayBeEnough, rightsOf } from '../../api/right.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { usePaused } from '../../kit/paused.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { useSeen } from '../../kit/refusing/seen.ts';
import { useWrongField } from '../../kit/refusing/wrong-field.ts';
import { Action } from '../../kit/rights/action.tsx';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { useMissing } from '../../kit/rights/missing-right.tsx';
import { isNetwork, namesOfSecrets, sortFaults, titleOf } from '../../schema-form/fields.ts';
import { SchemaForm, type Edits } from '../../schema-form/schema-form.tsx';
import {
  CheckNotice,
  describeRefusal,
  isAccepted,
  isRejected,
  tryCredentials,
  type Checked,
} from '../plans/check.tsx';
import { fieldsOfModes } from '../sign-in-modes/modes.ts';
import type { Known } from '../sign-in-modes/set-up.tsx';
import { SignInMode } from '../sign-in-modes/sign-in-mode.tsx';
import { faultsOfAnswer } from './faults-of-answer.ts';
import { NameField, refuseIncomplete, refuseTaken } from './name-field.tsx';
import { draftCheckOf, NAME_FIELD, type Draft } from './steps.ts';

type Props = {
  draft: Draft;
  /** What the last step brought back; null: nothing. */
  refusal: unknown;
  setName: (name: string) => void;
  setMode: (mode: string, left: Edits) => void;
  setEdits: (edits: Edits) => void;
  go: (step: number) => void;
};

// No other name can be asked about.
const DESTINATION_NAME = /^[\w.-]{1,128}$/;

/** The name and credentials of a store. They are tested before the next step, which bad ones do not reach. */
export function Credentials({ draft, refusal, setName, setMode, setEdits, go }: Props) {
  const { schema } = draft;
  const { busy, failure, checked, isCheckable, isComplete, check, forget } = useCheck(draft);
  const { byField, rest, wrong } = sortFaults(failure ?? refusal, [NAME_FIELD, ...schema.settings]);
  const ofAnswer = faultsOfAnswer(draft, checked);
  const faults = { ...byField, ...ofAnswer };
  const frame = useWrongField<HTMLFormElement>(failure ?? checked ?? refusal);
  const goOn = async (): Promise<void> => {
    if (!(await isComplete())) return;
    if (!isCheckable || (checked && isAccepted(checked)) || (await check())) go(2);
  };
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
      noValidate
      className={kit.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void goOn();
      }}
    >
      <Fields draft={draft} faults={faults} rename={rename} setMode={setMode} change={change} />
      <div className={kit.end}>
        <Refusal
          failure={failure || wrong.length > 0 ? rest : null}
          wrong={wrong}
          said={failure ? 'Not tested.' : 'Nothing was saved.'}
        />
        <Result draft={draft} checked={checked} ofAnswer={ofAnswer} />
        <div className={`${kit.row} ${kit.bar}`}>
          <Button kind="primary" type="submit" busy={busy}>
            Continue
          </Button>
          {checked && !isAccepted(checked) && !isRejected(checked) ? (
            <Button onClick={() => go(2)}>Continue without a test</Button>
          ) : null}
          <CheckButton draft={draft} busy={busy} check={() => void check()} />
          <Button onClick={() => go(0)}>Back</Button>
        </div>
      </div>
    </form>
  );
}

// What is said at the fields is not said again.
function Result({
  draft,
  checked,
  ofAnswer,
}: {
  draft: Draft;
  checked: Checked | null;
  ofAnswer: Record<string, string>;
}) {
  const place = useSeen<HTMLDivElement>(checked);
  if (!checked) return null;
  const wrong = draft.schema.settings.filter(({ name }) => Object.hasOwn(ofAnswer, name)).map(titleOf);
  if (wrong.length > 0 && 'answer' in checked)
    return (
      <Refusal failure={null} wrong={wrong} said={`${describeRefusal(checked.answer, 'Credentials')}.`} />
    );
  return (
    <div ref={place} className={kit.seen}>
      <CheckNotice
        checked={checked}
        of="Credentials"
        rest="Nothing is saved yet."
        fields={draft.schema.settings}
      />
    </div>
  );
}

function Fields({
  draft,
  faults,
  rename,
  setMode,
  change,
}: {
  draft: Draft;
  faults: Record<string, string>;
  rename: (name: string) => void;
  setMode: (mode: string, left: Edits) => void;
  change: (edits: Edits) => void;
}) {
  const { schema, name } = draft;
  const known = useSessionName(draft);
  const form = (fields: DestinationTypeAnswer['settings']) => (
    <SchemaForm fields={fields} values={schema.when_new} edits={draft.edits} {...{ faults, edit: change }} />
  );
  const ofModes = fieldsOfModes(schema);
  const general = schema.settings.filter((field) => !isNetwork(field) && !ofModes.includes(field));
  return (
    <>
      <section className={`${kit.card} ${kit.stack}`}>
        <h2>{schema.title}</h2>
        <NameField type={schema.type} name={name} fault={faults[NAME_FIELD.name]} setName={rename} />
        {form(general)}
      </section>
      {schema.modes.length > 0 ? (
        <section className={`${kit.card} ${kit.stack}`}>
          <h2>Sign-in</h2>
          <SignInMode
            schema={schema}
            name={name}
            values={schema.when_new}
            edits={draft.edits}
            chosen={draft.mode}
            left={draft.left}
            choose={setMode}
            faults={faults}
            known={known}
            edit={change}
            draw={form}
          />
        </section>
      ) : null}
      <details className={kit.card}>
        <summary>Network restrictions</summary>
        {form(schema.settings.filter(isNetwork))}
      </details>
    </>
  );
}

// Worked out from the name, and shown in the set-up of a mode that has it.
function useSessionName({ schema, name: typed }: Draft): Known | undefined {
  const name = usePaused(typed);
  const isShown = schema.modes.some(({ steps }) => steps.some(({ code }) => code?.includes('{session}')));
  const mayRead = useHasRights([identityRight(schema.type, name || '+')]);
  const enabled = isShown && mayRead && DESTINATION_NAME.test(name);
  const { data } = useQuery({ ...identityQuery(schema.type, name), enabled });
  // What else is known belongs to a stored destination of that name.
  return name === typed && data ? { ...data, aud: null } : undefined;
}

// The refusal and the check of what is typed; both are forgotten as soon as something else is typed.
function useCheck(draft: Draft) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const { busy, failure, attempt, forget } = useAttempt();
  const name = usePaused(draft.name);
  const missing = useMissing(name === '' ? [] : rightsOf(draftCheckOf(draft, name)), mayBeEnough);
  return {
    busy,
    failure,
    checked,
    /** Whether the user may test: whoever may not goes on without. */
    isCheckable: missing.length === 0,
    /** Resolves to true if everything is typed without which no store can be connected, and the name is free. */
    isComplete: () => attempt(() => refuseIncomplete(draft).then(() => refuseTaken(draft))),
    /** Resolves to true if the store accepts the credentials. */
    check: async () => {
      let isGood = false;
      await attempt(async () => {
        setChecked(null);
        await refuseIncomplete(draft);
        const result = await tryCredentials(draftCheckOf(draft, draft.name));
        setChecked(result);
        isGood = isAccepted(result);
      });
      return isGood;
    },
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
