import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import {
  insertAlertRule,
  lockAlertRules,
  updateAlertRule,
  type AlertRule,
} from '../../../../libs/store/notifications/rules.ts';
import { etagOf, requireAbsent, requireMatch } from '../../../../libs/validation/preconditions.ts';
import { alertAnswer } from '../../contract/alerts.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { presentAlert } from './present-alert.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { changesOfAlert } from './changes.ts';
import { alertBody, composeAlert } from './compose.ts';
import { findMailFault } from './mail-off.ts';
import { alertDocumentOf, findNamedAlert, requireAlertName } from './named-alert.ts';

type Body = Static<typeof alertBody>;

/** Writing rules for alerts. */
export const alertWriteEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/alerts/:name',
    access: 'policy',
    summary: 'Create a rule for alerts, or change it; absent fields keep their values',
    answers: { 200: { data: alertAnswer } },
    body: alertBody,
    isConditional: true,
    takesIfNoneMatch: true,
    exists: async (request) => (await findNamedAlert(request)) !== undefined,
    handle: async (request) => {
      const rule = await write(request);
      const mailFault =
        rule.enabled && rule.settings.channel === 'email' ? await findMailFault(request.services) : null;
      if (mailFault !== null) request.warn(`nothing will be sent: ${mailFault}`);
      return { status: 200, data: presentAlert(rule), headers: { ETag: etagOf(rule) } };
    },
  }),
];

async function write(request: ApiRequest<Body>): Promise<AlertRule> {
  const name = requireAlertName(request);
  const { services, namespace, body } = request;
  const { keyring, config } = services;
  const author = request.caller.token.display_name;
  return transact(services.db, async (transaction) => {
    // Before the look, so that two callers cannot both create the rule.
    const count = await lockAlertRules(transaction, namespace.id);
    const present = await findNamedAlert(request, { db: transaction, lock: true });
    requireAbsent(request.header('if-none-match'), present, `the rule ${name}`);
    requireMatch(request.header('if-match'), present, `the rule ${name}`);
    const before = present && alertDocumentOf(request, present);
    const document = composeAlert(body, before, config);
    if (present && isDeepStrictEqual(before, document)) {
      request.note({ change: 'none' });
      return present;
    }
    request.note({
      change: present ? 'updated' : 'created',
      changed: changesOfAlert(request, present, document),
    });
    if (present) return updateAlertRule(transaction, keyring, present, { ...document, author });
    requireWithin(LIMITS.alertRules, count + 1);
    return insertAlertRule(
      transaction,
      keyring,
      { namespaceId: namespace.id, name },
      { ...document, author },
    );
  });
}
