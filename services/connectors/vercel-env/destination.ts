import { Type, type Static } from 'typebox';
import type { Destination } from '../../../libs/connector/contract.ts';
import { credential, NO_NULL, pathSegment } from '../../../libs/connector/settings.ts';
import { ENVIRONMENTS, ENVIRONMENT_LABELS, readReference, joinEnvironments } from './marks.ts';

const settings = Type.Object({
  access_token: credential(
    'Access token',
    'Its scope must include the team (or the account) that owns the project.',
  ),
  project_id: pathSegment('Project', 'ID (prj_…) or name of the project.', 'prj_123 or web-shop'),
  team_id: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{0,100}$',
      errorMessage: 'must have at most 100 letters, digits and _ -, such as team_123',
      title: 'Team ID',
      description: 'ID (team_…) of the team that owns the project. Default: the account of the token.',
    }),
  ),
  deployment_environments: Type.Array(Type.Enum([...ENVIRONMENTS]), {
    minItems: 1,
    maxItems: ENVIRONMENTS.length,
    uniqueItems: true,
    title: 'Environments',
    words: ENVIRONMENT_LABELS,
    description:
      'Environments that get the variables. The others may have another value under the same name.',
  }),
  sensitive: Type.Optional(
    Type.Boolean({
      title: 'Sensitive variables',
      offWith: {
        field: 'deployment_environments',
        value: 'development',
        text: 'Off with Development, which has no sensitive variables: members of the project can read the values at Vercel, also those of the other environments. To avoid that, make a destination of its own for Development.',
      },
      description:
        'Nobody can read the values back at Vercel. Not possible for development. On by default for a new destination without development.',
    }),
  ),
});

export type HostingProjectSettings = Static<typeof settings>;

// Names that the vendor's runtime keeps for itself, and the system variables that it sets in each deployment.
const RESERVED = [
  'AWS_SECRET_KEY',
  'AWS_EXECUTION_ENV',
  'AWS_LAMBDA_(?:LOG_GROUP_NAME|LOG_STREAM_NAME|FUNCTION_NAME|FUNCTION_MEMORY_SIZE|FUNCTION_VERSION)',
  'NOW_REGION',
  'TZ',
  'LAMBDA_(?:TASK_ROOT|RUNTIME_DIR)',
  'VERCEL(?:_(?:ENV|TARGET_ENV|URL|BRANCH_URL|PROJECT_PRODUCTION_URL|REGION|DEPLOYMENT_ID|PROJECT_ID|OIDC_TOKEN|GIT_\\w+))?',
].join('|');

const NOT_SENSITIVE =
  'the variables can be read at Vercel by members of the project, because Vercel has no sensitive variables for "development": make a destination of its own for development, and the others become sensitive';

/**
 * Environment variables of one Vercel project. Destinations for different environments of a project have different
 * containers, because a name may have a value for each environment. If two of them overlap, the owner mark tells their
 * entries apart.
 */
export const destination: Destination<typeof settings> = {
  type: 'hosting-project',
  aliases: ['vercel-project'],
  title: 'Vercel project environment variables',
  settings,
  settingRules: [
    (given) => {
      if (!given.sensitive || !given.deployment_environments.includes('development')) return [];
      return [
        'sensitive cannot be true if deployment_environments includes "development": Vercel has sensitive variables for preview and production only; set sensitive to false, or make a destination of its own for development',
      ];
    },
  ],
  whenNew(given) {
    if (!given.deployment_environments?.includes('development'))
      return { settings: { sensitive: true }, warnings: [] };
    return { settings: { sensitive: false }, warnings: [NOT_SENSITIVE] };
  },
  container: (given) =>
    `hosting-project:${given.team_id || '-'}/${given.project_id}/${joinEnvironments(given.deployment_environments)}`,
  // A variable can change its kind only if it is deleted and created again. Deployments in between would miss it.
  fixedSettings: ['project_id', 'team_id', 'sensitive'],
  followsContainer: true,
  placeNoun: 'environment',
  defaultGranularity: 'secret-key',
  names: {
    allowed: /[A-Za-z0-9_]/,
    replacement: '_',
    maxLength: 256,
    pattern: {
      expression: new RegExp(`^(?!(?:${RESERVED})$)[A-Za-z_][A-Za-z0-9_]*$`),
      message:
        'the name of a Vercel variable begins with a letter or "_", and must not be reserved by Vercel',
    },
  },
  // Vercel counts names and values together, for each deployment.
  limits: { valueBytes: 64 * 1024, refuses: NO_NULL, totalBytes: 64 * 1024, entries: 1000 },
  // Settings may name the project by its id or by its name, so two containers may be the same.
  identityOf: (reference) => readReference(reference)?.id ?? null,
  createIsExclusive: true,
  // Not true if `sensitive` is set: then values read as null.
  readable: true,
  // Each batch costs a list of all rows and a write. No size of a batch is documented; if Vercel refuses so many, `put` halves them.
  batchSize: 100,
  address: { variable: 'HOSTING_PROJECT_API_URL', usual: 'https://api.vercel.com' },
};
