import { Type, type Static } from 'typebox';
import { credential, INNER_SPACES, pathSegment } from '../../../libs/connector/settings.ts';

// No segment of a path may be `.` or `..`: it would lead to another resource.
export const settings = Type.Object({
  access_token: Type.Optional(
    credential(
      'Access token',
      'Fine-grained token with "secrets" (or, for an environment, "environments") read and write, or a classic one with "repo". Not used with a GitHub App.',
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
      title: 'Installation ID',
      description:
        'Installation of the app in the organization or account: the number at the end of its address at GitHub.',
    }),
  ),
  repository_owner: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,100}$',
    errorMessage: 'must have 1 to 100 letters, digits and _ -, such as acme',
    title: 'Repository owner',
    description: 'Organization or user that owns the repository.',
  }),
  repository_name: pathSegment('Repository name', 'Name of the repository, without its owner.', 'web-shop'),
  secrets_location: Type.Optional(
    Type.Enum(['repository', 'environment'], {
      title: 'Secrets location',
      words: { repository: 'Repository', environment: 'Environment' },
      description:
        'Where the secrets are written. Default: the environment if one is named, otherwise the repository.',
    }),
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
