import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { transact } from '../../../../libs/db/transact.ts';
import { permissionDenied, reasonOf, RequestError } from '../../../../libs/errors/request-error.ts';
import {
  insertAlertRule,
  lockAlertRules,
  updateAlertRule,
  type AlertRule,
} from '../../../../libs/store/notifications/rules.ts';
import { etagOf, requireAbsent, requireMatch } from '../../../../libs/validation/preconditions.ts';
import { alertAnswer, alertTestAnswer, type AlertTryAnswer } from '../../contract/alerts.ts';
import { LIMITS, requireWithin } from '../../limits.ts';
import { presentAlert } from './present-alert.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { changesOfAlert } from './changes.ts';
import { alertBody, composeAlert, type AlertDocument } from './compose.ts';
import { findMailFault } from './mail-off.ts';
import { alertDocumentOf, findNamedAlert, noAlert, requireAlertName } from './named-alert.ts';

type Body = Static<typeof alertBody>;

/** Writing rules for alerts, and trying what they would send. */
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
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/alerts/:name/test',
    access: 'policy',
    summary:
      'Send a test message to every recipient of a rule, and say what each answered; fields in the body are tried without being stored',
    answers: { 200: { data: alertTestAnswer } },
    body: alertBody,
    handle: async (request) => {
      const document = await documentToTest(request);
      const tries = await tryAll(request, document);
      request.note({ tested: tries.map(({ recipient, ok: isOk }) => ({ recipient, ok: isOk })) });
      return ok({ ok: tries.every((one) => one.ok), tries });
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

// Whoever sends something else than what is stored must be allowed to store it.
async function documentToTest(request: ApiRequest<Body>): Promise<AlertDocument> {
  const present = await findNamedAlert(request);
  const isStored = Object.keys(request.body).length === 0;
  if (!present && isStored) throw noAlert(request);
  const name = requireAlertName(request);
  const needed = present ? ('update' as const) : ('create' as const);
  if (!isStored && !request.may(`sys/alerts/${name}`, needed))
    throw permissionDenied(
      `${request.path} with fields needs the capability ${needed} on sys/alerts/${name}`,
    );
  const before = present && alertDocumentOf(request, present);
  return composeAlert(request.body, before, request.services.config);
}

async function tryAll(request: ApiRequest, { settings, secrets }: AlertDocument): Promise<AlertTryAnswer[]> {
  const { namespace, params } = request;
  const data = { rule: params['name'] ?? '', namespace: namespace.path };
  if (secrets) {
    const { commands } = request.services;
    const answer = await commands
      .call('key-maintenance', 'test-webhook', { ...secrets, data })
      .catch(describeRefusal);
    return [{ recipient: new URL(secrets.url).host, ...answer }];
  }
  return Promise.all(
    settings.addresses.map(async (recipient) => ({ recipient, ...(await tryEmail(request, recipient)) })),
  );
}

async function tryEmail(
  { services, requestId, params }: ApiRequest,
  to: string,
): Promise<{ ok: boolean; detail: string }> {
  const text = [
    `This message shows that the rule ${params['name'] ?? ''} for alerts can reach you.`,
    'Nothing has happened.',
    '',
    `Installation ${services.installation.id}`,
    '',
  ].join('\n');
  const subject = `Sealift: test of the alert rule ${params['name'] ?? ''}`;
  try {
    await services.commands.call('settings', 'send-mail', {
      to,
      subject,
      text,
      messageId: `<test-${requestId}-${Buffer.from(to).toString('hex').slice(0, 32)}@sealift>`,
    });
    return { ok: true, detail: 'The mail server took the message.' };
  } catch (error) {
    return describeRefusal(error);
  }
}

function describeRefusal(error: unknown): { ok: boolean; detail: string } {
  if (!(error instanceof RequestError)) throw error;
  return { ok: false, detail: `Not sent: ${reasonOf(error).replace(/; nothing was \w+$/, '')}.` };
}
