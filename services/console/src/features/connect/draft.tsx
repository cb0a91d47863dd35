import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/answers.ts';
import { call, change } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { destinationPath } from '../../api/queries.ts';
import { Button } from '../../kit/button.tsx';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { labelOf, sortFaults, textOf } from '../../schema-form/fields.ts';
import { SchemaForm, type Edits } from '../../schema-form/schema-form.tsx';

type Props = {
  schema: DestinationTypeAnswer;
  name: string;
  edits: Edits;
  isReview: boolean;
  setName: (name: string) => void;
  setEdits: (edits: Edits) => void;
  go: (step: number) => void;
};

/** A destination that is not stored yet: its form, and what it comes to. */
export function Draft(props: Props) {
  const { schema, name, edits, isReview, go } = props;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const body = Object.fromEntries(
    Object.entries(edits).filter(([, value]) => value !== null && value !== ''),
  );

  const create = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await refuseTaken(schema.type, name);
      await change('POST', destinationPath(schema.type, name), body);
      await queries.invalidateQueries();
      await navigate({ to: '/destinations/$type/$name', params: { type: schema.type, name }, search: {} });
    } catch (error) {
      setFailure(error);
      setBusy(false);
      if (Object.keys(sortFaults(error, [...schema.settings, ...schema.options]).byField).length > 0) go(1);
    }
  };

  const faults = sortFaults(failure, [...schema.settings, ...schema.options]);
  if (!isReview) {
    return (
      <form
        className={kit.stack}
        onSubmit={(event) => {
          event.preventDefault();
          go(2);
        }}
      >
        <Fields {...props} faults={faults.byField} />
        {faults.rest ? <FailureNotice failure={faults.rest} /> : null}
        <div className={kit.row}>
          <Button kind="primary" type="submit">
            Review
          </Button>
          <Button onClick={() => go(0)}>Back</Button>
        </div>
      </form>
    );
  }
  return (
    <>
      <Review schema={schema} name={name} body={body} />
      {faults.rest ? <FailureNotice failure={faults.rest} /> : null}
      <div className={kit.row}>
        <Button kind="primary" busy={busy} onClick={() => void create()}>
          Create
        </Button>
        <Button onClick={() => go(1)}>Back</Button>
      </div>
    </>
  );
}

function Fields({
  schema,
  name,
  edits,
  setName,
  setEdits,
  faults,
}: Props & { faults: Record<string, string> }) {
  const form = (fields: DestinationTypeAnswer['settings']) => (
    <SchemaForm fields={fields} values={{}} edits={edits} faults={faults} edit={setEdits} />
  );
  return (
    <>
      <section className={`${kit.card} ${kit.stack}`}>
        <h2>{schema.title}</h2>
        <label className={kit.field}>
          <span className={kit.label}>Name of the destination</span>
          <input
            className={kit.input}
            required
            pattern="[A-Za-z0-9_.\-]{1,128}"
            title="1 to 128 letters, digits, or any of _.-"
            placeholder="production"
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {form(schema.settings.filter(({ name: field }) => !isNetwork(field)))}
      </section>
      <section className={`${kit.card} ${kit.stack}`}>
        <h2>What is written, and how</h2>
        {form(schema.options)}
      </section>
      <details className={kit.card}>
        <summary>Limits of the network</summary>
        {form(schema.settings.filter(({ name: field }) => isNetwork(field)))}
      </details>
    </>
  );
}

function Review({
  schema,
  name,
  body,
}: {
  schema: DestinationTypeAnswer;
  name: string;
  body: Record<string, unknown>;
}) {
  const secrets = new Set(schema.settings.filter(({ sensitive }) => sensitive).map((field) => field.name));
  const granularity = textOf(body['granularity'] ?? schema.default_granularity);
  const template = body['secret_name_template'] ?? schema.default_templates[granularity as 'secret-path'];
  return (
    <section className={`${kit.card} ${kit.stack}`}>
      <h2>
        {schema.type}/{name}
      </h2>
      <dl className={kit.facts}>
        {Object.entries({ ...body, granularity, secret_name_template: template }).map(([field, value]) => (
          <div key={field} style={{ display: 'contents' }}>
            <dt>{labelOf(field)}</dt>
            <dd>
              <code>{secrets.has(field) ? '•••••' : textOf(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p className={kit.muted}>
        Creating it writes nothing to the store. Check the credentials next, then link secrets: each shows its
        plan first.
      </p>
    </section>
  );
}

// A POST would replace it.
async function refuseTaken(type: string, name: string): Promise<void> {
  const isFree = await call('GET', destinationPath(type, name)).then(
    () => false,
    (error: unknown) => error instanceof ApiFailure && error.status === 404,
  );
  if (!isFree) throw new Error(`There is a destination ${type}/${name} already: choose another name.`);
}

function isNetwork(field: string): boolean {
  return field.startsWith('allowed_') || field === 'disable_strict_networking';
}
