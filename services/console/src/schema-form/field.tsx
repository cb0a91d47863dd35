import { useState, type ReactNode } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import { certificateIn, describePem } from '../kit/certificate/pem.ts';
import kit from '../kit/kit.module.css';
import { optionsOf } from '../kit/picker/options.ts';
import { Picker } from '../kit/picker/picker.tsx';
import { AnyText } from '../kit/text/any-text.tsx';
import { Field, type FieldControl } from '../kit/text/field.tsx';
import { LineInput } from '../kit/text/line-input.tsx';
import { LongText } from '../kit/text/long-text.tsx';
import { ChoiceInput } from './inputs/choice-input.tsx';
import { ChoicesInput } from './inputs/choices-input.tsx';
import {
  fromText,
  isCertificate,
  kindOf,
  textOf,
  titleOf,
  toText,
  wordOf,
  type FieldKind,
} from './fields.ts';
import { Doubt } from './inputs/doubt.tsx';
import { ListInput } from './inputs/list-input.tsx';
import { LoadedText } from './inputs/loaded-text.tsx';
import { notesOf } from './notes.ts';
import { SecretInput } from './inputs/secret-input.tsx';
import { TimeInput } from './inputs/time-input.tsx';

type Props = {
  field: FieldAnswer;
  value: unknown;
  edited: { value: unknown } | undefined;
  fault: string | undefined;
  /** What names the stored secret, if that is known. */
  inUse: string | undefined;
  /** What is said of the stored value. */
  remark?: ReactNode;
  /** Why the field cannot be changed; empty if it can. */
  locked: string;
  /** Words that cannot be chosen, each with the reason. */
  barred: Record<string, string>;
  change: (value: unknown) => void;
  keep: () => void;
};

/** One field of a schema with its label, its description and its fault. */
export function SchemaField(props: Props) {
  const { field, fault, edited, remark } = props;
  const kind = kindOf(field, props.value);
  const label = (
    <>
      {titleOf(field)}
      {field.storedOnly && kind !== 'choices' ? <StoredOnly /> : null}
    </>
  );
  return (
    <Field
      label={kind === 'switch' ? undefined : label}
      isRequired={field.is_required === true}
      isGroup={kind === 'choices'}
      about={aboutOf(
        edited ? undefined : remark,
        notesOf({ ...props, kind, title: titleOf(field) }),
        !fault && field.doubt && (
          <Doubt {...field.doubt} value={textOf((edited ? edited.value : props.value) ?? '')} />
        ),
      )}
      fault={fault}
    >
      {(control) =>
        kind === 'switch' ? (
          <Switch {...props} control={control} />
        ) : kind === 'choices' ? (
          <Choices {...props} labelledBy={`${control.id}-label`} describedBy={control['aria-describedby']} />
        ) : field.sensitive ? (
          <SecretInput
            {...props}
            name={field.name}
            title={titleOf(field)}
            isSet={props.value === '*****'}
            isLong={kind === 'long'}
            control={{ ...control, isSecret: field.visible !== true }}
          />
        ) : (
          <Plain {...props} kind={kind} control={control} />
        )
      }
    </Field>
  );
}

// A remark is about what is stored, and not about what is being typed.
function aboutOf(remark: ReactNode, notes: string, doubt: ReactNode): ReactNode {
  if (!remark && !doubt) return notes;
  return (
    <>
      {doubt}
      {remark ? <span className={kit.block}>{remark}</span> : null}
      {notes}
    </>
  );
}

function StoredOnly() {
  return (
    <>
      {' '}
      <span className={kit.chip}>Not used by Sealift</span>
    </>
  );
}

function Switch({ field, value, edited, locked, change, control }: Props & { control: FieldControl }) {
  const isOn = Boolean(edited ? edited.value : (value ?? field.default));
  return (
    <label className={kit.check}>
      <input
        {...control}
        type="checkbox"
        checked={isOn}
        disabled={locked !== ''}
        onChange={(event) => change(event.target.checked)}
      />
      <span className={kit.label}>{titleOf(field)}</span>
      {field.storedOnly ? <StoredOnly /> : null}
    </label>
  );
}

function Plain(props: Props & { kind: FieldKind; control: FieldControl }) {
  const { field, value, edited, locked, change, kind, control } = props;
  const [text, setText] = useState<string | null>(null);
  // What was typed may differ from what it means, by blanks. Another value may have come from elsewhere.
  const isTyped =
    edited && text !== null && textOf(fromText(kind, text, field.several)) === textOf(edited.value);
  const shown = isTyped ? text : toText(kind, edited ? edited.value : (value ?? ''), field.several);
  const type = (next: string): void => {
    setText(next);
    change(fromText(kind, next, field.several));
  };
  const common = { ...control, disabled: locked !== '' };
  if (kind === 'choice')
    return <ChoiceInput {...common} {...choiceOf(field, edited?.value ?? value)} change={change} />;
  if (kind === 'time') return <TimeInput {...common} value={edited?.value ?? value} change={change} />;
  const rest = { ...common, value: shown, change: type };
  if (kind === 'clock')
    return (
      <input
        {...common}
        type="time"
        className={kit.input}
        value={shown}
        onChange={({ target }) => change(target.value)}
      />
    );
  const items = shown.split('\n').filter(Boolean);
  if (kind === 'list' && field.suggestions)
    return (
      <ListInput
        {...common}
        items={items}
        known={field.suggestions}
        noun={field.suggestion_noun}
        change={change}
      />
    );
  if (kind === 'long' && isCertificate(field) && locked === '')
    return (
      <LoadedText
        {...rest}
        title={titleOf(field)}
        read={certificateIn}
        describe={edited ? describePem : undefined}
      />
    );
  if (kind === 'list' || kind === 'pairs' || kind === 'json' || kind === 'long')
    return <LongText {...rest} />;
  const placeholder =
    field.default === undefined || field.default === null ? '' : wordOf(field, textOf(field.default));
  if (kind === 'text' && field.suggestions)
    return <Picker {...rest} options={optionsOf(field.suggestions)} placeholder={placeholder} />;
  if (kind === 'number') return <LineInput {...rest} inputMode="numeric" placeholder={placeholder} />;
  return <AnyText {...rest} placeholder={placeholder} />;
}

function Choices({
  field,
  value,
  edited,
  locked,
  ...rest
}: Props & { labelledBy: string; describedBy: string | undefined }) {
  const items = edited ? edited.value : (value ?? []);
  return (
    <ChoicesInput
      {...rest}
      words={field.words ?? {}}
      unset={field.unset}
      items={Array.isArray(items) ? items.map(String) : []}
      disabled={locked !== ''}
    />
  );
}

function choiceOf(field: FieldAnswer, value: unknown) {
  const words = (field.enum ?? []).filter((word) => word !== '');
  return {
    value: textOf(value ?? field.default ?? ''),
    words: words.map((word): [string, string] => [word, wordOf(field, word)]),
    unset: field.default === undefined ? 'Default' : `Default: ${wordOf(field, textOf(field.default))}`,
  };
}
