import { badRequest } from '../../../../libs/errors/request-error.ts';
import type { GithubApp, GithubAppKey } from '../../../../libs/store/destinations/github-apps.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/;

/** The app that a path names. */
export function appKeyOf({ namespace, params }: ApiRequest): GithubAppKey {
  return { namespaceId: namespace.id, name: params['name'] ?? '' };
}

/** The same for a call that writes the app. Throws 400 for a name that no app can have. */
export function requireAppKey(request: ApiRequest): GithubAppKey {
  const key = appKeyOf(request);
  if (NAME.test(key.name)) return key;
  throw badRequest('the name of a GitHub App must have 1 to 100 letters, digits, "_", "." or "-"');
}

/** What the audit trail tells of an app: no secret. */
export function shownInTrail({ app_id, enterprise_url, fingerprint }: GithubApp): Record<string, unknown> {
  return { app_id, enterprise_url, fingerprint };
}
