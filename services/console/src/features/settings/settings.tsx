import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { SettingsKindAnswer } from '../../../../api/contract/forms.ts';
import { schemasQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { useAllowed } from '../../kit/rights/allowed.ts';
import { labelOf } from '../../schema-form/fields.ts';
import { SettingsAction } from './action.tsx';
import { SettingsDocument, settingsQuery } from './document.tsx';

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
              <Tabs kinds={settings} />
              {definition ? null : <Empty title="Settings not found" />}
              {definition && definition.attributes.length > 0 ? (
                <SettingsDocument key={kind} definition={definition} />
              ) : null}
              {definition ? <Actions definition={definition} /> : null}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const FORMER_CERTIFICATE = /revoke-old-certificate$/;

// Actions on settings come with them. Whoever may not read these sees no actions either.
function Actions({ definition }: { definition: SettingsKindAnswer }) {
  const { attributes, actions, resource, may_be_absent: mayBeAbsent } = definition;
  const { data } = useQuery({ ...settingsQuery(definition), enabled: attributes.length > 0 });
  if (attributes.length > 0 && !mayBeAbsent && !data) return null;
  const hasFormer = Boolean(data?.attributes['old-idp-cert']);
  return actions.map((action) => (
    <SettingsAction
      key={action.path}
      action={action}
      type={resource}
      isIdle={FORMER_CERTIFICATE.test(action.path) && !hasFormer}
    />
  ));
}

// Those that the user may read, or on which there are actions alone.
function Tabs({ kinds }: { kinds: SettingsKindAnswer[] }) {
  const allowed = useAllowed(
    kinds.map(({ kind, type, attributes }) => {
      const path = `api/v2/admin/${type}`;
      const right =
        attributes.length > 0 ? { path, capability: 'read' } : { path: `${path}/+`, capability: 'update' };
      return { kind, right };
    }),
  );
  return (
    <nav className={kit.tabs} aria-label="Settings">
      {(allowed ?? []).map(({ kind }) => (
        <Link key={kind} to="/settings/$kind" params={{ kind }} className={kit.tab}>
          {labelOf(kind)}
        </Link>
      ))}
    </nav>
  );
}
