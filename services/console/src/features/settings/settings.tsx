import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { SettingsKindAnswer } from '../../../../api/contract/forms.ts';
import { schemasQuery } from '../../api/queries.ts';
import { PageNotFound } from '../../kit/refusing/not-found.tsx';
import { Loaded, Page } from '../../kit/page.tsx';
import { settingsRights } from '../../kit/rights/settings-pages.ts';
import { SettingsAction } from './action.tsx';
import { SettingsDocument, settingsQuery } from './document.tsx';
import { nameOfKind, OTHERS, usedFields } from './layout.ts';
import { OtherPrograms } from './other-programs.tsx';
import { Revocation } from './saml/revocation.tsx';
import { SamlAddresses } from './saml/addresses.tsx';
import { SigningKeys } from './signing-keys.tsx';
import { SettingsLayout } from './settings-tabs.tsx';

const route = getRouteApi('/settings/$kind');

/** The settings of the site and the actions on them, all as the API describes them. */
export function Settings() {
  const { kind } = route.useParams();
  const schemas = useQuery(schemasQuery);
  const isNone = kind !== OTHERS && schemas.data?.settings.every((one) => one.kind !== kind);
  if (isNone) return <PageNotFound />;
  return (
    <Page title={titleOf(kind)} {...settingsRights(kind)}>
      <Loaded query={schemas}>
        {({ settings }) => {
          const definition = settings.find((one) => one.kind === kind);
          return (
            <SettingsLayout kinds={settings}>
              {kind === OTHERS ? <OtherPrograms kinds={settings} /> : null}
              {definition && kind === 'saml' ? <SamlAddresses definition={definition} /> : null}
              {definition && definition.attributes.length > 0 ? (
                <SettingsDocument key={kind} definition={ownPart(definition)}>
                  {(isUnsaved) => <Actions definition={definition} isUnsaved={isUnsaved} />}
                </SettingsDocument>
              ) : null}
              {definition && kind === 'oidc' ? <SigningKeys actions={definition.actions} /> : null}
              {definition && definition.attributes.length === 0 && kind !== 'oidc' ? (
                <Actions definition={definition} />
              ) : null}
            </SettingsLayout>
          );
        }}
      </Loaded>
    </Page>
  );
}

function titleOf(kind: string): string {
  if (kind === OTHERS) return 'Settings for other programs';
  return kind === 'oidc' ? nameOfKind(kind) : `${nameOfKind(kind)} settings`;
}

// A document of which Sealift uses nothing has a page too, for those who come by its address.
function ownPart(definition: SettingsKindAnswer): SettingsKindAnswer {
  const used = usedFields(definition);
  return used.length > 0 ? { ...definition, attributes: used } : definition;
}

const FORMER_CERTIFICATE = /revoke-old-certificate$/;
const SMS_TEST = /sms-settings\/verify$/;
const SMS_OFF = 'Not possible yet, because SMS is off. Turn on “Enabled” above, save, and then test.';

// Actions on settings come with them. Whoever may not read these sees no actions either.
function Actions({ definition, isUnsaved = false }: { definition: SettingsKindAnswer; isUnsaved?: boolean }) {
  const { attributes, actions, resource, may_be_absent: mayBeAbsent } = definition;
  const { data } = useQuery({ ...settingsQuery(definition), enabled: attributes.length > 0 });
  if (attributes.length > 0 && !mayBeAbsent && !data) return null;
  const hasFormer = Boolean(data?.attributes['old-idp-cert']);
  return actions.map((action) => {
    const isTest = SMS_TEST.test(action.path);
    const isRevocation = FORMER_CERTIFICATE.test(action.path);
    return (
      <SettingsAction
        key={action.path}
        action={action}
        type={resource}
        running={isTest ? 'Sending…' : undefined}
        off={isTest && data?.attributes['enabled'] !== true ? SMS_OFF : ''}
        isUnsaved={isTest && isUnsaved}
        idle={isRevocation ? (hasFormer ? '' : 'There is no former certificate to revoke.') : undefined}
      >
        {isRevocation ? <Revocation certificates={data?.meta?.certificates} /> : undefined}
      </SettingsAction>
    );
  });
}
