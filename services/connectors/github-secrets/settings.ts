import { Type, type Static, type TString } from 'typebox';
import { credential, INNER_SPACES, pathSegment } from '../../../libs/connector/settings.ts';

const MOST_SELECTED = 100;

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
      'Name of a GitHub App in Sealift (sys/sync/github-apps) that signs in instead of an access token.',
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
      title: 'Secrets location',
      words: { repository: 'Repository', environment: 'Environment', organization: 'Organization' },
      description:
        'Where the secrets are written. Default: the environment if one is named, otherwise the repository.',
    }),
  ),
  repository_owner: Type.Optional(
    owner('Repository owner', 'Organization or user that owns the repository.'),
  ),
  repository_name: Type.Optional(
    pathSegment('Repository name', 'Name of the repository, without its owner.', 'web-shop'),
  ),
  environment_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: `^(?!\\.{1,2}$)${INNER_SPACES}$`,
      errorMessage: 'must have 1 to 255 characters without control characters, such as production',
      title: 'Environment name',
      description:
        'Environment of the repository. If set, its secrets are written instead of those of the repository.',
    }),
  ),
  organization_name: Type.Optional(
    owner('Organization name', 'Organization whose secrets are written (location "organization").'),
  ),
  organization_visibility: Type.Optional(
    Type.Enum(['all', 'private', 'selected'], {
      title: 'Organization visibility',
      words: {
        all: 'All repositories',
        private: 'Private and internal repositories',
        selected: 'Selected repositories',
      },
      description:
        'Repositories of the organization that may read the secrets. `all` has public ones too. Default: `private`.',
    }),
  ),
  selected_repository_names: Type.Optional(
    Type.Array(pathSegment('Name', 'Name of a repository, without its owner.', 'web-shop'), {
      maxItems: MOST_SELECTED,
      uniqueItems: true,
      title: 'Selected repositories',
      description:
        'Names of the repositories that may read the secrets, without their owner (visibility `selected`). Every write sets exactly these.',
    }),
  ),
  secrets_service: Type.Optional(
    Type.Enum(['actions', 'dependabot', 'codespaces'], {
      default: 'actions',
      title: 'Service',
      words: { actions: 'Actions', dependabot: 'Dependabot', codespaces: 'Codespaces' },
      description: 'The service of GitHub that reads the secrets. An environment is read by Actions alone.',
    }),
  ),
  enterprise_url: Type.Optional(
    Type.String({
      address: true,
      minLength: 1,
      maxLength: 2048,
      title: 'GitHub Enterprise Server URL',
      description: 'For example https://github.example.com. Default: github.com.',
    }),
  ),
});

/** Settings that the schema has checked. */
export type RepoHostSettings = Static<typeof settings>;

function owner(title: string, description: string): TString {
  return Type.String({
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    errorMessage: 'must have 1 to 100 letters, digits and _ -, such as acme',
    title,
    description,
  });
}
