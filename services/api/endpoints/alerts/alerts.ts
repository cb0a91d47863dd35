import { Type } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { notFound } from '../../../../libs/errors/request-error.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import { listMessages, readRuleHealth } from '../../../../libs/store/notifications/deliveries.ts';
import { readEnvironmentRule } from '../../../../libs/store/notifications/environment.ts';
import {
  deleteAlertRule,
  listAlertRules,
  openAlertSecrets,
} from '../../../../libs/store/notifications/rules.ts';
import { etagOf, requireMatch } from '../../../../libs/validation/preconditions.ts';
import {
  alertAnswer,
  alertDeliveriesAnswer,
  alertListAnswer,
  type AlertStateAnswer,
} from '../../contract/alerts.ts';
import {
  presentAlert,
  presentAlertState,
  presentDelivery,
  presentEnvironmentAlert,
  presentEnvironmentState,
} from './present-alert.ts';
import { endpoint, noContent, ok, type Endpoint } from '../../routing/endpoint.ts';
import { ENVIRONMENT, findNamedAlert, isOfEnvironment, noAlert, requireAlertName } from './named-alert.ts';
import { changesOfAlert } from './changes.ts';
import { findMailFault } from './mail-off.ts';

const DEFAULT_LIMIT = 50;

/** Who is told what: the rules for alerts, and what became of their messages. */
export const alertEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: '/sys/alerts',
    access: 'policy',
    summary: 'List the rules for alerts of a namespace, and how each does',
    answers: { 200: { data: alertListAnswer } },
    handle: async ({ services, namespace }) => {
      const { db, keyring } = services;
      const rules = await listAlertRules(db, namespace.id);
      const environment = namespace.id === ROOT_NAMESPACE.id ? await readEnvironmentRule(db) : undefined;
      if (rules.length === 0 && !environment) throw notFound();
      const health = await readRuleHealth(
        db,
        rules.map(({ id }) => id),
      );
      const mailFault = await findMailFault(services);
      const info = new Map<string, AlertStateAnswer>();
      if (environment) info.set(ENVIRONMENT, presentEnvironmentState(environment));
      for (const rule of rules) {
        const own = health.find(({ ruleId }) => ruleId === rule.id);
        info.set(
          rule.name,
          presentAlertState(rule, openAlertSecrets(keyring, rule), { health: own, mailFault }),
        );
      }
      return ok({ keys: [...info.keys()], key_info: Object.fromEntries(info) });
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/alerts/:name',
    access: 'policy',
    summary: 'Read a rule for alerts; the address and the secret of a webhook are shown as *****',
    answers: { 200: { data: alertAnswer } },
    handle: async (request) => {
      if (isOfEnvironment(request)) {
        const rule = await readEnvironmentRule(request.services.db);
        if (!rule) throw noAlert(request);
        return ok(presentEnvironmentAlert(ENVIRONMENT, rule));
      }
      const rule = await findNamedAlert(request);
      if (!rule) throw noAlert(request);
      return { status: 200, data: presentAlert(rule), headers: { ETag: etagOf(rule) } };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/sys/alerts/:name',
    access: 'policy',
    summary: 'Delete a rule for alerts, with what it held and has not sent',
    answers: { 204: {} },
    isConditional: true,
    handle: async (request) => {
      const name = requireAlertName(request);
      const former = await transact(request.services.db, async (transaction) => {
        const rule = await findNamedAlert(request, { db: transaction, lock: true });
        requireMatch(request.header('if-match'), rule, `the rule ${name}`);
        if (rule) await deleteAlertRule(transaction, rule.id);
        return rule;
      });
      request.note({
        change: former ? 'deleted' : 'none',
        ...(former ? { former: changesOfAlert(request, former, undefined) } : {}),
      });
      return noContent();
    },
  }),
  endpoint({
    method: 'GET',
    path: '/sys/alerts/:name/deliveries',
    access: 'policy',
    summary: 'Read what became of the messages of a rule, newest first',
    answers: { 200: { data: alertDeliveriesAnswer } },
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 200,
          description: `Maximum number of messages. Default ${DEFAULT_LIMIT}.`,
        }),
      ),
    }),
    handle: async (request) => {
      const rule = isOfEnvironment(request) ? null : await findNamedAlert(request);
      if (rule === undefined) throw noAlert(request);
      const { limit = DEFAULT_LIMIT } = request.query;
      const rows = await listMessages(request.services.db, rule && rule.id, { limit });
      const secrets = rule && openAlertSecrets(request.services.keyring, rule);
      return ok({ deliveries: rows.map((row) => presentDelivery(row, secrets)) });
    },
  }),
];
