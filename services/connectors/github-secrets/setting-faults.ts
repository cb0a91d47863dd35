import type { RepoHostSettings } from './settings.ts';

type Rule = (given: RepoHostSettings) => string[];

// Each setting of a place, and the location that it belongs to.
const OF_REPOSITORY = ['repository_owner', 'repository_name', 'environment_name'] as const;
const OF_ORGANIZATION = [
  'organization_name',
  'organization_visibility',
  'selected_repository_names',
] as const;

/** What is missing to sign in. A GitHub App wins over a token, which is kept all the same. */
export function credentialFaults({
  access_token: token,
  app_name: app,
  installation_id: installation,
}: RepoHostSettings): string[] {
  if ((app === undefined) !== (installation === undefined))
    return ['app_name and installation_id must be given together'];
  return app === undefined && token === undefined
    ? ['access_token is required, or app_name with installation_id']
    : [];
}

function isOfOrganization({ secrets_location: location }: RepoHostSettings): boolean {
  return location === 'organization';
}

function isSelected({ organization_visibility: visibility }: RepoHostSettings): boolean {
  return visibility === 'selected';
}

/** What is missing or needless for the chosen location. */
export const placeRules: Rule[] = [
  (given) =>
    isOfOrganization(given)
      ? needless(given, OF_REPOSITORY, 'cannot be used if secrets_location is "organization"')
      : needless(given, OF_ORGANIZATION, 'needs secrets_location "organization"'),
  required('repository_owner', '', (given) => !isOfOrganization(given)),
  required('repository_name', '', (given) => !isOfOrganization(given)),
  required(
    'environment_name',
    ' if secrets_location is "environment"',
    ({ secrets_location: location }) => location === 'environment',
  ),
  required('organization_name', ' if secrets_location is "organization"', isOfOrganization),
  (given) => (isOfOrganization(given) ? selectionFaults(given) : []),
  (given) =>
    !isOfOrganization(given) && isOfOtherProgram(given) && given.environment_name !== undefined
      ? ['environment_name cannot be used with this secrets_service: only Actions reads environments']
      : [],
];

function isOfOtherProgram({ secrets_service: service = 'actions' }: RepoHostSettings): boolean {
  return service !== 'actions';
}

function required(
  name: keyof RepoHostSettings,
  when: string,
  isNeeded: (given: RepoHostSettings) => boolean,
): Rule {
  return (given) => (isNeeded(given) && given[name] === undefined ? [`${name} is required${when}`] : []);
}

function selectionFaults(given: RepoHostSettings): string[] {
  const names = given.selected_repository_names ?? [];
  if (isSelected(given) && names.length === 0)
    return ['selected_repository_names is required if organization_visibility is "selected"'];
  return !isSelected(given) && names.length > 0
    ? ['selected_repository_names needs organization_visibility "selected"']
    : [];
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
