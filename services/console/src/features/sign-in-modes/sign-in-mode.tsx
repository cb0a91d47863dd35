import { Link } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import type { DestinationTypeAnswer, FieldAnswer } from '../../../../api/contract/forms.ts';
import { ChoiceInput } from '../../schema-form/inputs/choice-input.tsx';
import type { Edits } from '../../schema-form/schema-form.tsx';
import kit from '../../kit/kit.module.css';
import { useWithApps } from '../github-apps/queries.ts';
import { editsIn, fieldsOfMode, leftBehind, modeOf } from './modes.ts';
import { SetUp, type Known } from './set-up.tsx';

type Props = {
  schema: DestinationTypeAnswer;
  /** The name of the destination; empty while there is none. */
  name: string;
  values: Record<string, unknown>;
  edits: Edits;
  /** The mode that was chosen; null: none yet. */
  chosen: string | null;
  /** What was typed in modes that were left. */
  left: Edits;
  faults: Record<string, string>;
  known?: Known | undefined;
  choose: (mode: string, left: Edits) => void;
  edit: (edits: Edits) => void;
  /** Draws some of the settings. */
  draw: (fields: FieldAnswer[]) => ReactNode;
};

/** The choice of how a destination signs in, the settings of that mode alone, and what to do at the store. */
export function SignInMode({
  schema: type,
  name,
  values,
  edits,
  chosen,
  left,
  faults,
  known,
  choose,
  edit,
  draw,
}: Props) {
  const id = useId();
  const schema = useWithApps(type);
  const mode = modeOf(schema, { values, edits, chosen });
  if (!mode) return null;
  return (
    <>
      <div className={kit.field}>
        <label className={kit.label} htmlFor={id}>
          Signs in with
        </label>
        <ChoiceInput
          id={id}
          value={mode.mode}
          words={schema.modes.map((one): [string, string] => [one.mode, one.title])}
          unset=""
          change={(word) => {
            const next = schema.modes.find((one) => one.mode === word);
            const behind = leftBehind(schema, mode, { edits, left });
            choose(word, behind);
            if (next) edit(editsIn(schema, next, { values, edits: { ...behind, ...edits } }));
          }}
        />
      </div>
      {draw(fieldsOfMode(schema, mode, faults))}
      {mode.mode === 'app' ? <AppsLink /> : null}
      {mode.steps.length > 0 ? (
        <SetUp
          mode={mode}
          identity={schema.identity}
          name={name}
          fields={schema.settings}
          values={{ ...values, ...edits }}
          known={known}
        />
      ) : null}
    </>
  );
}

// In a page of its own, so that what is typed here stays.
function AppsLink() {
  return (
    <div>
      <Link to="/github-apps" target="_blank" className={kit.button}>
        Add or change GitHub Apps
      </Link>
    </div>
  );
}
