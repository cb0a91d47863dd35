import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { SettingsAnswer, SettingsKindAnswer } from '../../../../api/contract/answers.ts';
import { call, ifRevision } from '../../api/client.ts';
import { schemasQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { EditForm } from '../../schema-form/edit-form.tsx';
import { labelOf } from '../../schema-form/fields.ts';

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
  const queries = useQueryClient();
  const path = `/api/v2/admin/${definition.type}`;
  const queryKey = ['settings', definition.kind];
  const query = useQuery({
    queryKey,
    queryFn: async () => (await call<SettingsAnswer>('GET', path)).data.data,
  });
  return (
    <Loaded query={query}>
      {({ attributes, meta }) => (
        <EditForm
          sections={[{ title: '', fields: definition.attributes }]}
          stored={{
            revision: meta.revision,
            changed_at: meta['changed-at'],
            changed_by: meta['changed-by'],
            values: { ...attributes, ...Object.fromEntries(meta.set.map((name) => [name, '*****'])) },
          }}
          savedText="Saved."
          save={async (edits, revision) => {
            const body = { data: { type: definition.type, attributes: edits } };
            const { data } = await call<SettingsAnswer>('PATCH', path, {
              body,
              headers: ifRevision(revision),
            });
            queries.setQueryData(queryKey, data.data);
          }}
          reload={() => queries.refetchQueries({ queryKey })}
        />
      )}
    </Loaded>
  );
}
