import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { DestinationTypeAnswer } from '../../../../api/contract/answers.ts';
import { change } from '../../api/client.ts';
import {
  destinationPath,
  destinationQuery,
  schemasQuery,
  type DestinationAnswer,
} from '../../api/queries.ts';
import { summaryQuery } from '../../api/summary.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmByName } from '../../kit/confirm.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded } from '../../kit/page.tsx';
import { sortFaults } from '../../schema-form/fields.ts';
import { FormEnd } from '../../schema-form/form-end.tsx';
import { SchemaForm, type Edits } from '../../schema-form/schema-form.tsx';
import { DestinationPage } from './destination-page.tsx';

const route = getRouteApi('/destinations/$type/$name/settings');
const FIXED = 'Fixed while secrets are linked: what is in the store could not be followed.';

/** Everything about a destination that can be changed, by the same schemas that check it. */
export function DestinationSettings() {
  const { type, name } = route.useParams();
  const destination = useQuery(destinationQuery(type, name));
  const schemas = useQuery(schemasQuery);
  const summary = useQuery(summaryQuery);
  const own = summary.data?.destinations.find((one) => one.store_type === type && one.store_name === name);
  const schema = schemas.data?.destinations.find((one) => one.type === type || one.aliases.includes(type));
  return (
    <DestinationPage type={type} name={name}>
      <Loaded query={destination}>
        {(present) =>
          schema ? (
            <Form
              key={`${type}/${name}`}
              type={type}
              name={name}
              present={present}
              schema={schema}
              isLinked={(own?.total ?? 1) > 0}
            />
          ) : null
        }
      </Loaded>
    </DestinationPage>
  );
}

type Present = {
  type: string;
  name: string;
  present: DestinationAnswer;
  schema: DestinationTypeAnswer;
  isLinked: boolean;
};

function Form({ type, name, present, schema, isLinked }: Present) {
  const queries = useQueryClient();
  const [edits, setEdits] = useState<Edits>({});
  const [saved, setSaved] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const faults = sortFaults(failure, [...schema.settings, ...schema.options]);
  const save = async (): Promise<void> => {
    const isSaved = await attempt(async () => {
      await change('PATCH', destinationPath(type, name), edits);
      setEdits({});
      await queries.invalidateQueries();
    });
    setSaved(isSaved);
  };
  const form = (fields: DestinationTypeAnswer['settings']) => (
    <SchemaForm
      fields={fields}
      values={{ ...present.connection_details, ...present.options }}
      edits={edits}
      faults={faults.byField}
      fixed={isLinked ? schema.fixed_settings : []}
      fixedReason={FIXED}
      edit={(next) => {
        setEdits(next);
        setSaved(false);
      }}
    />
  );
  return (
    <>
      <form
        className={kit.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <section className={`${kit.card} ${kit.stack}`}>
          <h2>{schema.title}</h2>
          {form(schema.settings)}
        </section>
        <section className={`${kit.card} ${kit.stack}`}>
          <h2>What is written, and how</h2>
          {form(schema.options)}
        </section>
        <FormEnd
          failure={faults.rest}
          saved={saved ? 'Saved. What it concerns is synced again.' : ''}
          busy={busy}
          isTouched={Object.keys(edits).length > 0}
          discard={() => setEdits({})}
        />
      </form>
      <Removal type={type} name={name} />
    </>
  );
}

function Removal({ type, name }: { type: string; name: string }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={`${kit.card} ${kit.stack} ${kit.tight}`}>
      <h2>Remove this destination</h2>
      <p className={kit.muted}>
        Unlinks every secret, deletes what was written to the store, then the destination.
      </p>
      <div>
        <Button kind="danger" onClick={() => setIsOpen(true)}>
          Remove…
        </Button>
      </div>
      {isOpen ? (
        <ConfirmByName
          title={`Remove ${type}/${name}`}
          name={name}
          action="Delete in the store and remove"
          close={() => setIsOpen(false)}
          carryOut={async () => {
            await change('DELETE', `${destinationPath(type, name)}?purge=true`);
            await queries.invalidateQueries();
            await navigate({ to: '/destinations' });
          }}
        >
          <p>
            Every entry that Sealift wrote to this store is deleted there. Entries of others are left alone.
          </p>
        </ConfirmByName>
      ) : null}
    </section>
  );
}
