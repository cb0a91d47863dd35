import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import type { Database } from '../../../../libs/db/connect.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import {
  findAlertRule,
  openAlertSecrets,
  type AlertRule,
} from '../../../../libs/store/notifications/rules.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { AlertDocument } from './compose.ts';

/** The name, in the root namespace, of the rule that the environment gives. */
export const ENVIRONMENT = 'environment';

/** The rule that a path names; undefined if there is none. */
export function findNamedAlert(
  { services, namespace, params }: ApiRequest,
  { db = services.db, lock = false }: { db?: Database; lock?: boolean } = {},
): Promise<AlertRule | undefined> {
  return findAlertRule(db, { namespaceId: namespace.id, name: params['name'] ?? '' }, { lock });
}

/** The name in a path that is written. Throws 400 with the rule for names. */
export function requireAlertName(request: ApiRequest): string {
  const name = request.params['name'] ?? '';
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name))
    throw badRequest('name must have 1 to 128 letters, digits, or any of _.-');
  if (isOfEnvironment(request))
    throw badRequest(
      'this rule is set by the environment (NOTIFY_…) of the maintenance worker: change it there',
    );
  return name;
}

/** Whether a path names the rule of the environment. */
export function isOfEnvironment({ namespace, params }: ApiRequest): boolean {
  return namespace.id === ROOT_NAMESPACE.id && params['name'] === ENVIRONMENT;
}

/** The refusal of a call about a rule that does not exist. */
export function noAlert({ params }: ApiRequest): Error {
  return notFound(`there is no rule ${params['name'] ?? ''}`);
}

/** A stored rule with its secrets. */
export function alertDocumentOf({ services }: ApiRequest, rule: AlertRule): AlertDocument {
  const { enabled, settings } = rule;
  return { enabled, settings, secrets: openAlertSecrets(services.keyring, rule) };
}
