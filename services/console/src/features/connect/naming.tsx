import { useQuery } from '@tanstack/react-query';
import type { DestinationTypeAnswer, FieldAnswer } from '../../../../api/contract/forms.ts';
import type { PreviewAnswer } from '../../../../api/contract/plans.ts';
import { ask } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { ONCE } from '../../api/polling.ts';
import { destinationPath } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { useAttempt } from '../../kit/attempt.ts';
import { usePaused } from '../../kit/paused.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { useWrongField } from '../../kit/refusing/wrong-field.ts';
import { Table } from '../../kit/table.tsx';
import { PathText } from '../../kit/text/path-text.tsx';
import { findTypedFaults } from '../../schema-form/faults.ts';
import { sortFaults, textOf } from '../../schema-form/fields.ts';
import { withPlaceholders } from '../../schema-form/notes.ts';
import { useLabels } from '../../schema-form/labels.ts';
import { SchemaForm, type Edits } from '../../schema-form/schema-form.tsx';
import { planOf } from '../plans/plan.ts';
import { bodyOf, leadBack, NAME_FIELD, ofDraft, tryOf, type Draft } from './steps.ts';

type Props = {
  draft: Draft;
  /** What a template may contain. */
  placeholders: string[];
  /** What the last step brought back; null: nothing. */
  refusal: unknown;
  refuse: (failure: unknown) => void;
  setEdits: (edits: Edits) => void;
  go: (step: number) => void;
};

/** How entries are named and written. Shows the resulting names while the user types. */
export function Naming({ draft, placeholders, refusal, refuse, setEdits, go }: Props) {
  const preview = usePreview(draft);
  const sorted = sortFaults(preview.error, draft.schema.options);
  const { busy, faults, wrong, said, forget, goOn, frame } = useGoingOn({ draft, refusal, refuse, go });
  const change = (edits: Edits): void => {
    forget();
    setEdits(edits);
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
      <section className={`${kit.card} ${kit.stack}`}>
        <h2>Sync options</h2>
        <SchemaForm
          fields={withPlaceholders(withDefaults(draft), placeholders)}
          values={{}}
          edits={draft.edits}
          faults={{ ...faults, ...sorted.byField }}
          edit={change}
        />
      </section>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="names">
        <h2 id="names">Names in the store</h2>
        {sorted.rest ? <FailureNotice failure={sorted.rest} /> : null}
        {preview.data && !preview.error ? (
          <Names names={preview.data.names} type={draft.schema.type} rule={ruleOf(draft.schema)} />
        ) : null}
        <Shorter draft={draft} setEdits={change} />
      </section>
      <div className={kit.end}>
        <Refusal failure={null} wrong={wrong} said={said} />
        <div className={`${kit.row} ${kit.bar}`}>
          <Button kind="primary" type="submit" busy={busy}>
            Continue
          </Button>
          <Button onClick={() => go(1)}>Back</Button>
        </div>
      </div>
    </form>
  );
}

function Names({ names, type, rule }: PreviewAnswer & { type: string; rule: string }) {
  const labelled = useLabels(type);
  if (names.length === 0) return <p className={kit.muted}>No secrets yet to preview names for.</p>;
  const isByKey = names.some((one) => one.sub_key);
  return (
    <>
      <p className={kit.muted}>
        {rule} {isByKey ? 'The keys are examples: those of your secrets aren’t read here.' : ''}
      </p>
      <Table columns={['Secret', 'Name in the store']}>
        {names.map((one) => (
          <tr key={`${one.mount}/${one.secret_name}`}>
            <td>
              <PathText path={`${one.mount}/${one.secret_name}`} />{' '}
              {one.sub_key ? <code>{one.sub_key}</code> : null}
            </td>
            <td>
              {one.fault === null ? (
                <code>
                  <PathText path={one.external_name} />
                </code>
              ) : (
                labelled(one.fault)
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

// Where names begin with the accessor of a mount, which nobody knows by heart.
function Shorter({ draft, setEdits }: Pick<Props, 'draft' | 'setEdits'>) {
  const granularity = granularityOf(draft);
  const isLong = draft.schema.default_templates[granularity].includes('.MountAccessor');
  const shortest = shorterTemplates(granularity).at(-1) ?? '';
  if (!isLong || bodyOf(draft)['secret_name_template'] !== undefined) return null;
  return (
    <div className={kit.row}>
      <Button onClick={() => setEdits({ ...draft.edits, secret_name_template: shortest })}>
        Use <code>{shortest}</code> instead
      </Button>
      <span className={`${kit.small} ${kit.muted}`}>
        Secrets of two mounts that have the same path then get the same name, and only one can be linked.
      </span>
    </div>
  );
}

function granularityOf(draft: Draft): 'secret-path' | 'secret-key' {
  return textOf(bodyOf(draft)['granularity'] ?? draft.schema.default_granularity) as 'secret-path';
}

function usePreview(draft: Draft) {
  const { granularity, secret_name_template: template } = bodyOf(draft);
  const pausedDraft = usePaused(JSON.stringify({ granularity, secret_name_template: template }));
  const path = `${destinationPath(draft.schema.type, draft.name)}/preview`;
  return useQuery({
    queryKey: ['preview', path, pausedDraft],
    queryFn: () => ask<PreviewAnswer>(ofDraft({ method: 'POST', path, body: JSON.parse(pausedDraft) })),
    placeholderData: (previous) => previous,
    retry: false,
    ...ONCE,
  });
}

// Without what keeps the names of several mounts apart, which people who read the names at the store seldom need.
function shorterTemplates(granularity: string): string[] {
  const ofKey = granularity === 'secret-key' ? '_{{ .SecretKey }}' : '';
  return ['{{ .MountPath }}/{{ .SecretPath }}', '{{ .SecretPath }}'].map((text) => `${text}${ofKey}`);
}

// What a store makes of characters that its names may not have.
function ruleOf({ names: { allowed, replacement } }: DestinationTypeAnswer): string {
  const may = new RegExp(`^${allowed}$`);
  const isUpper = may.test('A') && !may.test('a');
  return `${isUpper ? 'Letters become capitals here, and all' : 'All'} characters that the store doesn’t allow become “${replacement}”.`;
}

// The next step is not reached with options that the API would refuse at the end.
function useGoingOn({ draft, refusal, refuse, go }: Pick<Props, 'draft' | 'refusal' | 'refuse' | 'go'>) {
  const { busy, failure, attempt, forget } = useAttempt();
  const { byField, wrong } = sortFaults(failure ?? refusal, draft.schema.options);
  const goOn = async (): Promise<void> => {
    const work = async (): Promise<void> => {
      await refuseWrongOptions(draft);
      go(3);
    };
    await attempt(() => leadBack(draft, { go, refuse }, 2, work));
  };
  return {
    busy,
    faults: byField,
    wrong,
    said: failure ? 'Not possible yet.' : 'Nothing was saved.',
    forget,
    goOn,
    frame: useWrongField<HTMLFormElement>(failure ?? refusal),
  };
}

// Throws ApiFailure if the API would not take an option, or the name. What else may go wrong here is told at the end.
async function refuseWrongOptions(draft: Draft): Promise<void> {
  const { schema, name, edits } = draft;
  const problems = findTypedFaults(schema.options, { values: {}, edits });
  if (problems.length > 0) throw new ApiFailure({ status: 400, problems });
  const whole = { destination: bodyOf(draft), secrets: [] };
  const plan = tryOf(draft, planOf(schema.type, name, whole));
  await ask({ ...plan, body: { ...whole, look: false } }).catch((error: unknown) => {
    if (sortFaults(error, [NAME_FIELD, ...schema.options]).wrong.length > 0) throw error;
  });
}

// The templates depend on the granularity, so the schema of the field has no default.
function withDefaults(draft: Draft): FieldAnswer[] {
  const { schema } = draft;
  const granularity = granularityOf(draft);
  const template = schema.default_templates[granularity];
  const more: Record<string, Partial<FieldAnswer>> = {
    secret_name_template: { default: template, suggestions: [template, ...shorterTemplates(granularity)] },
    granularity: { default: schema.default_granularity },
  };
  return schema.options.map((field) => ({ ...field, ...more[field.name] }));
}
