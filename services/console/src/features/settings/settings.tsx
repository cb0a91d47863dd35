import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { schemasQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { labelOf } from '../../schema-form/fields.ts';
import { SettingsAction } from './action.tsx';
import { SettingsDocument } from './document.tsx';

const route = getRouteApi('/settings/$kind');

/** The settings of the site and the actions on them, all as the API describes them. */
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
              {definition ? null : <Empty title="Settings not found" />}
              {definition && definition.attributes.length > 0 ? (
                <SettingsDocument key={kind} definition={definition} />
              ) : null}
              {definition?.actions.map((action) => (
                <SettingsAction key={action.path} action={action} type={definition.resource} />
              ))}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
