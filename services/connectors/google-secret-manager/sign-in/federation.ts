import { Type } from 'typebox';
import { identitySettings } from '../../../../libs/connector/identity/identity.ts';

const EMAIL = /^[a-z0-9-]{1,63}@([a-z][a-z0-9-]{4,28}[a-z0-9])\.iam\.gserviceaccount\.com$/;
const PROVIDER =
  /^(?:https:)?(\/\/iam\.googleapis\.com\/projects\/\d{1,20}\/locations\/global\/workloadIdentityPools\/[a-z0-9-]{4,32}\/providers\/[a-z0-9-]{4,32})$/;

const EXAMPLE =
  '//iam.googleapis.com/projects/123456789/locations/global/workloadIdentityPools/sealift/providers/sealift';

/** Settings of destinations that sign in with identity tokens. */
export const federationSettings = {
  ...identitySettings,
  service_account_email: Type.Optional(
    Type.String({
      maxLength: 254,
      title: 'Service account',
      description:
        'Email of the service account that identity tokens lead to, for example `sealift@my-project.iam.gserviceaccount.com`.',
    }),
  ),
  direct_access: Type.Optional(
    Type.Boolean({
      title: 'Direct access',
      description:
        'Identity tokens lead to no service account: the project itself grants access to the principal of the workload identity pool. Needs the project ID.',
    }),
  ),
  workload_identity_provider: Type.Optional(
    Type.String({
      maxLength: 512,
      rare: true,
      pattern: PROVIDER.source,
      errorMessage: `must be the full name of a provider, with its project number and without a slash at the end, such as ${EXAMPLE}`,
      title: 'Workload identity provider',
      description: 'Needed only if the audience of identity tokens is not that of the provider itself.',
    }),
  ),
};

/** What of the settings decides how identity tokens lead to the project. */
export type Federation = {
  credentials?: string;
  project_id?: string;
  identity_token_audience?: string;
  service_account_email?: string;
  direct_access?: boolean;
  workload_identity_provider?: string;
};

/** One sentence for each fault of settings without a service account key, or with the fields of identity tokens. */
export function federationFaults(given: Federation): string[] {
  const { identity_token_audience: audience, service_account_email: email, direct_access: isDirect } = given;
  if (isDirect && audience === undefined) return ['direct_access is only for identity_token_audience'];
  if (isDirect && email !== undefined)
    return ['direct_access and service_account_email exclude each other: give one of them'];
  // Clients look for these words.
  if (!isDirect && (audience === undefined) !== (email === undefined)) {
    return [
      'failed to parse credentials: workload identity federation auth requires both identity_token_audience and service_account_email (or direct_access and project_id, without a service account)',
    ];
  }
  if (email !== undefined && !EMAIL.test(email)) {
    return [
      'failed to parse credentials: invalid service account email format, expected format: project-id@project-id.iam.gserviceaccount.com',
    ];
  }
  if (audience !== undefined && providerOf(given) === undefined) return [audienceFault(audience)];
  const hasProject = (given.project_id ?? given.credentials ?? projectOfAccount(given)) !== undefined;
  return hasProject ? [] : ['project_id is required without credentials and service_account_email'];
}

function audienceFault(audience: string): string {
  if (!audience.includes('/workloadIdentityPools/'))
    return 'workload_identity_provider is required: identity_token_audience is not that of a provider';
  return `identity_token_audience is nearly the name of a provider: write it as https:${EXAMPLE}, with the number of the project and without a slash at the end; if the provider really accepts this audience, name the provider in workload_identity_provider`;
}

/** The provider as Google's token service names it. */
export function providerOf({
  identity_token_audience: audience = '',
  workload_identity_provider: provider = audience,
}: Federation): string | undefined {
  return PROVIDER.exec(provider)?.[1];
}

/** The destination as rights in a project name it: its subject in the pool of its provider. */
export function principalOf(settings: Federation, subject: string): string {
  return `principal:${providerOf(settings)?.replace(/\/providers\/.*$/, '')}/subject/${subject}`;
}

/** The project that the name of the service account has. */
export function projectOfAccount({ service_account_email: email = '' }: Federation): string | undefined {
  return EMAIL.exec(email)?.[1];
}
