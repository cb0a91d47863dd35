import type { OperatorSettings } from '../../../libs/connector/contract.ts';

const PUBLIC_API = 'https://api.github.com';

/**
 * The address of the API, without a slash at the end. An enterprise server has the API below `/api/v3`; a hosted
 * enterprise has it on a host name of its own. `REPO_HOST_API_URL` is the operator's replacement for the public API.
 */
export function apiUrl(
  enterpriseUrl: string | undefined,
  environment: OperatorSettings['environment'],
): string {
  if (enterpriseUrl === undefined) return trim(environment('REPO_HOST_API_URL') ?? PUBLIC_API);
  const url = new URL(enterpriseUrl);
  const host = url.hostname.replace(/^api\./, '');
  if (host === 'github.com') return PUBLIC_API;
  if (host.endsWith('.ghe.com')) return `https://api.${host}`;
  return `${trim(url.href).replace(/\/api\/v3$/, '')}/api/v3`;
}

function trim(url: string): string {
  return url.replace(/\/+$/, '');
}
