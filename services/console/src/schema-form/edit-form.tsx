import { useState, type ReactNode } from 'react';
import type { FieldAnswer } from '../../../api/contract/forms.ts';
import type { Call } from '../api/curl.ts';
import { mayBeEnough, rightsOf } from '../api/right.ts';
import kit from '../kit/kit.module.css';
import { Fold } from '../kit/narrow/fold.tsx';
import { Notice } from '../kit/notice.tsx';
import { closeSentence } from '../kit/text/capitalise.ts';
import { useMissing } from '../kit/rights/missing-right.tsx';
import { isAlreadyStored } from './meanwhile/already-stored.ts';
import { Beside } from './meanwhile/beside.tsx';
import { useCheck, type Check } from './check.ts';
import { EditFrame } from './edit-frame.tsx';
import { useEdits, type Stored } from './edits.ts';
import { findTypedFaults } from './faults.ts';
import { namesOfSecrets, sortFaults, withLabels } from './fields.ts';
import { FormEnd } from './form-end.tsx';
import { SchemaForm, type Edits } from './schema-form.tsx';
import { useTrial, type Trial } from './trial.ts';

type Props = {
  /** `isFolded`: on a phone, or always, until the user opens it; `isOpen`: at first it is open. `draw`: how its fields are shown; absent: all of them. */
  sections: {
    title: string;
    fields: FieldAnswer[];
    isFolded?: boolean | 'always';
    isOpen?: boolean;
    draw?: (part: SectionPart) => ReactNode;
  }[];
  stored: Stored;
  fixed?: string[];
  fixedReason?: string;
  /** What names stored secrets, such as the ID of a key. */
  inUse?: Record<string, string> | undefined;
  /** What is said of stored values. */
  remarks?: Record<string, ReactNode> | undefined;
  /** Asks the user before anything is saved. */
  review?: (edits: Edits, answer: EditAnswer) => ReactNode;
  /** Whether these edits must be asked about; absent: all. */
  needsReview?: (edits: Edits) => boolean;
  /** Checks the edits as the user leaves a field, and before the question. */
  check?: Check | undefined;
  /** Stands beside Save. */
  beside?: (edits: Edits, trial: Trial) => ReactNode;
  /** Stands below the form. */
  below?: (edits: Edits) => ReactNode;
  /** What to say once it is saved. */
  savedText: string;
  /** What is wrong although it is saved; empty: nothing. */
  savedDoubt?: string;
  /** The call that stores the edits over the revision on which they are based. */
  callOf: (edits: Edits, revision: string) => Call;
  /** Makes that call, and returns what the API warns of. What it throws is shown. */
  save: (call: Call) => Promise<string[]>;
  /** Reads the stored document again. */
  reload: () => Promise<unknown>;
};

/** What a section shows: the stored values, what is typed over them, and some fields as a form. */
export type SectionPart = {
  values: Record<string, unknown>;
  edits: Edits;
  faults: Record<string, string>;
  edit: (edits: Edits) => void;
  form: (fields: FieldAnswer[]) => ReactNode;
};

/**
 * What the user may answer to a question before edits are saved. `save`: with `make`, the call is made by it; `refuse`: shows a
 * refusal of the edits at their fields.
 */
export type EditAnswer = {
  save: (make?: (call: Call) => Promise<string[]>) => Promise<void>;
  close: () => void;
  refuse: (refusal: unknown) => void;
};

/**
 * Changes a stored document. If someone else changes it meanwhile, the user sees both changes side by side, and does
 * not overwrite the other one unseen.
 */
export function EditForm(props: Props) {
  const { sections, stored, savedText, review, needsReview, beside, below, callOf, save, reload } = props;
  const fields = sections.flatMap((section) => section.fields);
  const form = useEdits(stored, {
    save: (edits, revision) => save(callOf(edits, revision)),
    reload,
    findFaults: (typed) => findTypedFaults(fields, typed),
  });
  const { revision: shown } = form.shown;
  const trial = useTrial(form);
  const checked = useCheck(form, props.check);
  const [isAsking, setIsAsking] = useState(false);
  const isAsked = review !== undefined && (needsReview?.(form.edits) ?? true);
  const close = (): void => setIsAsking(false);
  const saveBy: EditAnswer['save'] = (make) =>
    form.submit(make && ((edits, revision) => make(callOf(edits, revision))));
  const refuse = (refusal: unknown): void => {
    close();
    form.refuse(refusal);
  };
  const faults = sortFaults(form.failure, fields);
  return (
    <>
      <EditFrame
        form={form}
        isAsking={isAsking}
        leave={checked.look}
        {...(isAsked ? { review: () => checked.pass(() => setIsAsking(true)) } : {})}
      >
        <Sections {...props} form={form} faults={{ ...checked.faultsIn(fields), ...faults.byField }} />
        <Overtaken form={form} fields={fields} theirs={stored} />
        <FormEnd
          failure={faults.rest}
          wrong={faults.wrong}
          said={form.said}
          news={trial.news}
          saved={form.saved ? savedText : ''}
          doubt={props.savedDoubt}
          warnings={(form.saved ?? []).map((warning) => closeSentence(withLabels(warning, fields)))}
          busy={form.busy || checked.busy}
          isTouched={form.isTouched}
          isBlocked={form.isOvertaken}
          isDone={isAlreadyStored(fields, form.edits, stored.values)}
          discard={() => form.edit({})}
          call={callOf(form.edits, shown)}
          secrets={namesOfSecrets(fields)}
        >
          {beside?.(form.edits, trial)}
        </FormEnd>
      </EditFrame>
      {below?.(form.edits)}
      {isAsking ? review?.(form.edits, { save: saveBy, close, refuse }) : null}
    </>
  );
}

type FormPart = { form: ReturnType<typeof useEdits> };

function Overtaken({ form, fields, theirs }: FormPart & { fields: FieldAnswer[]; theirs: Stored }) {
  if (!form.isOvertaken) return null;
  return (
    <Beside
      fields={fields}
      before={form.shown.values}
      theirs={theirs}
      yours={form.edits}
      goOn={form.goOn}
      showTheirs={() => form.edit({})}
      isAsked={form.isLate}
    />
  );
}

function Sections({
  sections,
  callOf,
  fixed = [],
  fixedReason = '',
  inUse,
  remarks,
  form,
  faults,
}: Props & FormPart & { faults: Record<string, string> }) {
  const { values, revision } = form.shown;
  const isLocked = useMissing(rightsOf(callOf({}, revision)), mayBeEnough).length > 0;
  const named = sections.flatMap((section) => section.fields);
  const draw = (fields: FieldAnswer[]): ReactNode => (
    <SchemaForm
      fields={fields}
      named={named}
      values={values}
      edits={form.edits}
      faults={faults}
      fixed={fixed}
      fixedReason={fixedReason}
      inUse={inUse}
      remarks={remarks}
      edit={form.edit}
    />
  );
  const parts = sections.map(({ title, fields, isFolded = false, isOpen = false, draw: drawOwn }) => {
    const whole = { values, edits: form.edits, faults, edit: form.edit, form: draw };
    const part = (
      <fieldset className={kit.stack} disabled={isLocked}>
        {drawOwn ? drawOwn(whole) : draw(fields)}
      </fieldset>
    );
    return (
      <section key={title} className={`${kit.card} ${kit.stack}`}>
        {title && !isFolded ? <h2>{title}</h2> : null}
        {isFolded ? (
          <Fold title={title} isAlways={isFolded === 'always'} isOpenFirst={isOpen}>
            {part}
          </Fold>
        ) : (
          part
        )}
      </section>
    );
  });
  return (
    <>
      {isLocked ? <Notice tone="limited">You can read these settings, but not change them.</Notice> : null}
      {parts}
    </>
  );
}
