import type { Right } from '../../api/right.ts';
import type { Place } from './access-pages.ts';
import type { PageRights } from './lock.ts';

const read = (path: string): Right => ({ path, capability: 'read' });

const settingsOf = (kind: string, label: string, also = ''): Place => ({
  to: `/settings/${kind}`,
  label,
  also,
  right: read(`api/v2/admin/${kind}-settings`),
});

/** The pages about settings: every kind, because somebody may have a right to this one alone. */
export const SETTINGS: Place[] = [
  settingsOf('saml', 'SAML settings', 'sign-in single sign-on SSO'),
  settingsOf('smtp', 'SMTP settings', 'mail email'),
  settingsOf('general', 'General settings'),
  settingsOf('sms', 'SMS settings', 'text messages Twilio'),
  settingsOf('customization', 'Customization settings', 'branding'),
  {
    to: '/settings/data-retention',
    label: 'Data retention settings',
    right: read('api/v2/admin/data-retention-policy-settings'),
  },
  {
    to: '/settings/oidc',
    label: 'Signing keys',
    also: 'OIDC settings',
    right: { path: 'api/v2/admin/oidc-settings/+', capability: 'update' },
  },
  {
    to: '/settings/other-programs',
    label: 'Settings for other programs',
    also: 'cost estimation',
    right: read('api/v2/admin/cost-estimation-settings'),
  },
  {
    to: '/versions',
    label: 'Versions of policy engines',
    also: 'OPA Sentinel policy-engine versions',
    right: read('api/v2/admin/opa-versions'),
  },
];

const PARTS: Record<string, Right[]> = {
  oidc: [read('api/v2/admin/oidc-settings/signing-keys')],
  'other-programs': SETTINGS.flatMap(({ right }) => (right ? [right] : [])),
};

/** The rights to the settings of a kind. */
export function settingsRights(kind: string): PageRights {
  const right = SETTINGS.find(({ to }) => to === `/settings/${kind}`)?.right;
  return { rights: right ? [right] : [], parts: PARTS[kind] ?? [] };
}
