import type { Destination } from '../../../libs/connector/contract.ts';
import { NO_NULL } from '../../../libs/connector/settings.ts';
import { checkUrl, type EgressRules } from '../../../libs/egress/guard.ts';
import { apiUrl } from './api-url.ts';
import { failures } from './failures.ts';
import { settings, type RepoHostSettings } from './settings.ts';

/** Actions secrets of one repository, or of one environment of it, on github.com or an enterprise server. */
export const destination: Destination<typeof settings> = {
  type: 'repo-host',
  aliases: ['gh'],
  title: 'GitHub Actions secrets',
  settings,
  checkSettings(given, operator) {
    const faults = credentialFaults(given);
    if (given.secrets_location === 'environment' && given.environment_name === undefined)
      faults.push('environment_name is required if secrets_location is "environment"');
    if (given.enterprise_url !== undefined) {
      const fault = faultOfServer(given.enterprise_url, operator);
      if (fault) faults.push(`enterprise_url: ${fault}`);
    }
    return faults;
  },
  container: (given) => {
    const { host } = new URL(apiUrl(given.enterprise_url, () => undefined));
    const path = [host, given.repository_owner, given.repository_name];
    if (given.environment_name !== undefined) path.push(encodeURIComponent(given.environment_name));
    return `repo-host:${path.join('/')}`.toLowerCase();
  },
  credentialIds: ({ app_name: app, installation_id: installation }) =>
    app === undefined ? {} : { app_name: app, installation_id: String(installation) },
  app: {
    nameOf: ({ app_name: name }) => name,
    serverOf: ({ enterprise_url: url }) => apiUrl(url, () => undefined),
    faultOf: faultOfServer,
  },
  fixedSettings: ['repository_owner', 'repository_name', 'environment_name', 'enterprise_url'],
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
  limits: { valueBytes: 48 * 1024, refuses: NO_NULL, entries: 100 },
  createIsExclusive: false,
  readable: false,
  // The documented limit is 900 points a minute, and a write costs five.
  rate: { writes: 3, perMs: 1000 },
  address: { variable: 'REPO_HOST_API_URL', usual: 'https://api.github.com' },
  causes: failures.causes,
};

// A GitHub App wins over a token, which is kept all the same.
function credentialFaults({
  access_token: token,
  app_name: app,
  installation_id: installation,
}: RepoHostSettings) {
  if ((app === undefined) !== (installation === undefined))
    return ['app_name and installation_id must be given together'];
  return app === undefined && token === undefined
    ? ['access_token is required, or app_name with installation_id']
    : [];
}

function faultOfServer(url: string, operator: Pick<EgressRules, 'egressAllow'>): string | null {
  const fault = checkUrl(url, operator);
  if (fault !== null) return fault;
  const { search, hash } = new URL(url);
  return search || hash ? 'the URL must not contain a query or a fragment' : null;
}
