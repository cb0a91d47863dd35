import type { Destination } from '../../../libs/connector/contract.ts';
import { NO_NULL } from '../../../libs/connector/settings.ts';
import { checkUrl, type EgressRules } from '../../../libs/egress/guard.ts';
import { apiUrl } from './api-url.ts';
import { modes } from './modes.ts';
import { failures } from './failures.ts';
import { containerOf, mostSecretsOf } from './place.ts';
import { credentialFaults, placeRules } from './setting-faults.ts';
import { settings } from './settings.ts';

/** Secrets of one repository, environment or organization, on github.com or an enterprise server. */
export const destination: Destination<typeof settings> = {
  type: 'repo-host',
  aliases: ['gh'],
  title: 'GitHub secrets',
  settings,
  modes,
  settingRules: [
    credentialFaults,
    ...placeRules,
    ({ enterprise_url: url }, operator) => {
      const fault = url === undefined ? null : faultOfServer(url, operator);
      return fault ? [`enterprise_url: ${fault}`] : [];
    },
  ],
  container: containerOf,
  credentialIds: ({ app_name: app, installation_id: installation }) =>
    app === undefined ? {} : { app_name: app, installation_id: String(installation) },
  app: {
    nameOf: ({ app_name: name }) => name,
    serverOf: ({ enterprise_url: url }) => apiUrl(url, () => undefined),
    faultOf: faultOfServer,
  },
  fixedSettings: [
    'repository_owner',
    'repository_name',
    'environment_name',
    'organization_name',
    'secrets_service',
    'enterprise_url',
  ],
  defaultGranularity: 'secret-key',
  names: {
    allowed: /[A-Z0-9_]/,
    replacement: '_',
    maxLength: 255,
    uppercase: true,
    caseInsensitive: true,
    pattern: {
      expression: /^(?!GITHUB_)[A-Z_][A-Z0-9_]*$/,
      message: 'the name of a GitHub secret begins with a letter or "_" and not with "GITHUB_"',
    },
  },
  limits: { valueBytes: 48 * 1024, refuses: NO_NULL, entries: 100, entriesOf: mostSecretsOf },
  createIsExclusive: false,
  readable: false,
  // The documented limit is 900 points a minute, and a write costs five.
  rate: { writes: 3, perMs: 1000 },
  address: { variable: 'REPO_HOST_API_URL', usual: 'https://api.github.com' },
  causes: failures.causes,
};

function faultOfServer(url: string, operator: Pick<EgressRules, 'egressAllow'>): string | null {
  const fault = checkUrl(url, operator);
  if (fault !== null) return fault;
  const { search, hash } = new URL(url);
  return search || hash ? 'the URL must not contain a query or a fragment' : null;
}
