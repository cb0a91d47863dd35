import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SettingsKindAnswer } from '../../../../api/contract/answers.ts';
import { call } from '../../api/client.ts';
import { schemasQuery } from '../../api/queries.ts';
import { useAttempt } from '../../kit/attempt.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { labelOf, sortFaults } from '../../schema-form/fields.ts';
import { FormEnd } from '../../schema-form/form-end.tsx';
import { SchemaForm, type Edits } from '../../schema-form/schema-form.tsx';

type Document = { data: { id: string; type: string; attributes: Record<string, unknown> } };

const route = getRouteApi('/settings/$kind');

/** The settings documents of the site. */
export function Settings() {
  const { kind } = route.useParams();
  return (
    <Page title={`${labelOf(kind)} settings`}>
      <Loaded query={useQuery(schemasQuery)}>
        {({ settings }) => {
          const definition = settings.find((one) => one.kind === kind);
          return (
            <>
              <nav className={kit.tabs} aria-label="Settings">
                {settings.map((one) => (
                  <Link key={one.kind} to="/settings/$kind" params={{ kind: one.kind }} className={kit.tab}>
                    {labelOf(one.kind)}
                  </Link>
                ))}
              </nav>
              {definition ? (
                <SettingsDocument key={kind} definition={definition} />
              ) : (
                <Empty title="There are no such settings" />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function SettingsDocument({ definition }: { definition: SettingsKindAnswer }) {
  const path = `/api/v2/admin/${definition.type}`;
  const query = useQuery({
    queryKey: ['settings', definition.kind],
    queryFn: async () => (await call<Document>('GET', path)).data.data.attributes,
  });
  return (
    <Loaded query={query}>{(values) => <Form path={path} definition={definition} values={values} />}</Loaded>
  );
}

function Form({
  path,
  definition,
  values,
}: {
  path: string;
  definition: SettingsKindAnswer;
  values: Record<string, unknown>;
}) {
  const queries = useQueryClient();
  const [edits, setEdits] = useState<Edits>({});
  const [saved, setSaved] = useState(false);
  const { busy, failure, attempt } = useAttempt();
  const faults = sortFaults(failure, definition.attributes);
  const save = async (): Promise<void> => {
    const body = { data: { type: definition.type, attributes: edits } };
    const isSaved = await attempt(async () => {
      const { data } = await call<Document>('PATCH', path, { body });
      queries.setQueryData(['settings', definition.kind], data.data.attributes);
      setEdits({});
    });
    setSaved(isSaved);
  };

  return (
    <form
      className={kit.stack}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <section className={kit.card}>
        <SchemaForm
          fields={definition.attributes}
          values={values}
          edits={edits}
          faults={faults.byField}
          edit={(next) => {
            setEdits(next);
            setSaved(false);
          }}
        />
      </section>
      <FormEnd
        failure={faults.rest}
        saved={saved ? 'Saved.' : ''}
        busy={busy}
        isTouched={Object.keys(edits).length > 0}
        discard={() => setEdits({})}
      />
    </form>
  );
}
