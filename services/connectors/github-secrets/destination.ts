import { Type, type Static } from 'typebox';
import type { Destination } from '../../../libs/connector/contract.ts';
import { credential, INNER_SPACES, NO_NULL, pathSegment } from '../../../libs/connector/settings.ts';
import { checkUrl } from '../../../libs/egress/guard.ts';
import { apiUrl } from './api-url.ts';
import { failures } from './failures.ts';

// No segment of a path may be `.` or `..`: it would lead to another resource.
const settings = Type.Object({
  access_token: credential(
    'Access token',
    'Fine-grained token with "secrets" (or, for an environment, "environments") read and write, or a classic one with "repo".',
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

export type RepoHostSettings = Static<typeof settings>;

/** Actions secrets of one repository, or of one environment of it, on github.com or an enterprise server. */
export const destination: Destination<typeof settings> = {
  type: 'repo-host',
  aliases: ['gh'],
  title: 'GitHub Actions secrets',
  settings,
  checkSettings(given, operator) {
    const faults: string[] = [];
    if (given.secrets_location === 'environment' && given.environment_name === undefined)
      faults.push('environment_name is required if secrets_location is "environment"');
    if (given.enterprise_url !== undefined) {
      const fault = checkUrl(given.enterprise_url, operator) ?? checkPlain(given.enterprise_url);
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

function checkPlain(url: string): string | null {
  const { search, hash } = new URL(url);
  return search || hash ? 'the URL must not contain a query or a fragment' : null;
}
