import { Type, type Static, type TString } from 'typebox';
import { credential, INNER_SPACES, pathSegment } from '../../../libs/connector/settings.ts';

const MOST_SELECTED = 100;

// Forms show only what belongs to the chosen location.
const IN_REPOSITORY = { applies: { secrets_location: ['repository', 'environment'] }, needed: true };
const IN_ORGANIZATION = { secrets_location: 'organization' };

// No segment of a path may be `.` or `..`: it would lead to another resource.
export const settings = Type.Object({
  access_token: Type.Optional(
    credential(
      'Access token',
      'Fine-grained token with "secrets" read and write (of an environment: "environments"; of an organization: "organization secrets"), or a classic one with "repo" or "admin:org". Not used with a GitHub App.',
    ),
  ),
  app_name: Type.Optional(
    pathSegment(
      'GitHub App',
      'Name that the app has in Sealift. It signs in instead of an access token.',
      'deployer',
    ),
  ),
  installation_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      errorMessage:
        'must be a whole number, such as 12345678: the one at the end of the address of the installation at GitHub',
      title: 'Installation ID',
      description:
        'Installation of the app in the organization or account: the number at the end of its address at GitHub.',
    }),
  ),
  secrets_location: Type.Optional(
    Type.Enum(['repository', 'environment', 'organization'], {
      // An environment that is named counts too, so nothing is stored for this.
      leftOut: 'repository',
      title: 'Secrets location',
      words: {
        repository: 'Repository',
        environment: 'Environment of a repository',
        organization: 'Organization',
      },
      description: 'Where the secrets are written.',
    }),
  ),
  repository_owner: Type.Optional(
    owner('Repository owner', 'Organization or user that owns the repository.', IN_REPOSITORY),
  ),
  repository_name: Type.Optional({
    ...pathSegment('Repository name', 'Name of the repository, without its owner.', 'web-shop'),
    ...IN_REPOSITORY,
  }),
  environment_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: `^(?!\\.{1,2}$)${INNER_SPACES}$`,
      errorMessage: 'must have 1 to 255 characters without control characters, such as production',
      applies: { secrets_location: 'environment' },
      needed: true,
      title: 'Environment name',
      description:
        'Environment of the repository. If set, its secrets are written instead of those of the repository.',
    }),
  ),
  organization_name: Type.Optional(
    owner('Organization name', 'Organization whose secrets are written.', {
      applies: IN_ORGANIZATION,
      needed: true,
    }),
  ),
  organization_visibility: Type.Optional(
    Type.Enum(['all', 'private', 'selected'], {
      applies: IN_ORGANIZATION,
      leftOut: 'private',
      title: 'Organization visibility',
      words: {
        all: 'All repositories',
        private: 'Private and internal repositories',
        selected: 'Selected repositories',
      },
      description:
        'Repositories of the organization that may read the secrets. “All” includes public repositories.',
    }),
  ),
  selected_repository_names: Type.Optional(
    Type.Array(pathSegment('Name', 'Name of a repository, without its owner.', 'web-shop'), {
      maxItems: MOST_SELECTED,
      uniqueItems: true,
      applies: { ...IN_ORGANIZATION, organization_visibility: 'selected' },
      needed: true,
      title: 'Selected repositories',
      description:
        'Names of the repositories that may read the secrets, without their owner. Every write sets exactly these.',
    }),
  ),
  secrets_service: Type.Optional(
    Type.Enum(['actions', 'dependabot', 'codespaces'], {
      default: 'actions',
      applies: { secrets_location: ['repository', 'organization'] },
      rare: true,
      title: 'Service',
      words: { actions: 'Actions', dependabot: 'Dependabot', codespaces: 'Codespaces' },
      description: 'The service of GitHub that reads the secrets. An environment is read by Actions alone.',
    }),
  ),
  enterprise_url: Type.Optional(
    Type.String({
      address: true,
      rare: true,
      minLength: 1,
      maxLength: 2048,
      title: 'GitHub Enterprise Server URL',
      description: 'For example https://github.example.com. Default: github.com.',
    }),
  ),
});

/** Settings that the schema has checked. */
export type RepoHostSettings = Static<typeof settings>;

function owner(title: string, description: string, more: object): TString {
  return Type.String({
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    errorMessage: 'must have 1 to 100 letters, digits and _ -, such as acme',
    title,
    description,
    ...more,
  });
}
