import type { RepoHostSettings } from './settings.ts';

// Each setting of a place, and the location that it belongs to.
const OF_REPOSITORY = ['repository_owner', 'repository_name', 'environment_name'] as const;
const OF_ORGANIZATION = [
  'organization_name',
  'organization_visibility',
  'selected_repository_names',
] as const;

/** What is wrong with settings that the schema has checked: one sentence for each fault. */
export function settingFaults(given: RepoHostSettings): string[] {
  return [...credentialFaults(given), ...placeFaults(given)];
}

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

function placeFaults(given: RepoHostSettings): string[] {
  const { secrets_location: location, secrets_service: service = 'actions' } = given;
  if (location === 'organization') return organizationFaults(given);
  const faults = needless(given, OF_ORGANIZATION, 'needs secrets_location "organization"');
  for (const name of ['repository_owner', 'repository_name'] as const)
    if (given[name] === undefined) faults.push(`${name} is required`);
  if (location === 'environment' && given.environment_name === undefined)
    faults.push('environment_name is required if secrets_location is "environment"');
  if (service !== 'actions' && given.environment_name !== undefined)
    faults.push('environment_name cannot be used with this secrets_service: only Actions reads environments');
  return faults;
}

function organizationFaults(given: RepoHostSettings): string[] {
  const faults = needless(given, OF_REPOSITORY, 'cannot be used if secrets_location is "organization"');
  if (given.organization_name === undefined)
    faults.push('organization_name is required if secrets_location is "organization"');
  const isSelected = given.organization_visibility === 'selected';
  const names = given.selected_repository_names ?? [];
  if (isSelected && names.length === 0)
    faults.push('selected_repository_names is required if organization_visibility is "selected"');
  if (!isSelected && names.length > 0)
    faults.push('selected_repository_names needs organization_visibility "selected"');
  return faults;
}

function needless(
  given: RepoHostSettings,
  names: readonly (keyof RepoHostSettings)[],
  fault: string,
): string[] {
  return names
    .filter((name) => given[name] !== undefined && !(Array.isArray(given[name]) && given[name].length === 0))
    .map((name) => `${name} ${fault}`);
}
