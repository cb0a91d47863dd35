import { apiUrl } from './api-url.ts';
import type { RepoHostSettings } from './settings.ts';

type Service = 'actions' | 'dependabot' | 'codespaces';

/** Where the secrets of a destination are. */
export type Place = {
  kind: 'repository' | 'environment' | 'organization';
  /** The name for people: `acme/web`, with the environment if there is one. */
  container: string;
  /** The path of the repository or the organization. */
  path: string;
  secretsPath: string;
  /** The permission that writes secrets here. */
  permission: string;
};

const OF_REPOSITORY: Record<Service, string> = {
  actions: 'secrets',
  dependabot: 'dependabot_secrets',
  codespaces: 'codespaces_secrets',
};
const OF_ORGANIZATION: Record<Service, string> = {
  actions: 'organization_secrets',
  dependabot: 'organization_dependabot_secrets',
  codespaces: 'organization_codespaces_secrets',
};
const TITLES: Record<Service, string> = {
  actions: '',
  dependabot: ' (Dependabot)',
  codespaces: ' (Codespaces)',
};

/** Reads checked settings. */
export function placeOf(settings: RepoHostSettings): Place {
  const { secrets_service: service = 'actions', environment_name: environment } = settings;
  const secrets = `/${service}/secrets`;
  if (settings.secrets_location === 'organization') {
    const path = `/orgs/${settings.organization_name}`;
    return {
      kind: 'organization',
      container: `the organization ${settings.organization_name}${TITLES[service]}`,
      path,
      secretsPath: path + secrets,
      permission: OF_ORGANIZATION[service],
    };
  }
  const name = `${settings.repository_owner}/${settings.repository_name}`;
  const path = `/repos/${name}`;
  if (environment === undefined) {
    return {
      kind: 'repository',
      container: `${name}${TITLES[service]}`,
      path,
      secretsPath: path + secrets,
      permission: OF_REPOSITORY[service],
    };
  }
  return {
    kind: 'environment',
    container: `${name} (environment ${environment})`,
    path,
    secretsPath: `${path}/environments/${encodeURIComponent(environment)}/secrets`,
    permission: 'environments',
  };
}

/** The name of the container; see `Destination.container`. */
export function containerOf(settings: RepoHostSettings): string {
  const { host } = new URL(apiUrl(settings.enterprise_url, () => undefined));
  const { secrets_service: service = 'actions' } = settings;
  const ofService = service === 'actions' ? '' : `?${service}`;
  return `repo-host:${[host, ...segmentsOf(settings)].join('/')}${ofService}`.toLowerCase();
}

// An organization has one segment, a repository two, an environment three.
function segmentsOf(given: RepoHostSettings): string[] {
  if (given.secrets_location === 'organization') return [given.organization_name ?? ''];
  const {
    repository_owner: ownerName = '',
    repository_name: name = '',
    environment_name: environment,
  } = given;
  return [ownerName, name, ...(environment === undefined ? [] : [encodeURIComponent(environment)])];
}

/** Most secrets of a container; Infinity if GitHub does not say, as for Dependabot. */
export function mostSecretsOf(container: string): number {
  const [path = '', service] = container.split('?');
  if (service === 'dependabot') return Infinity;
  const isOrganization = path.split('/').length === 2;
  return isOrganization && service === undefined ? 1000 : 100;
}
