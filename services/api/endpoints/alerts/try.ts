import type { Static } from 'typebox';
import { randomId } from '../../../../libs/crypto/fingerprint.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { permissionDenied, reasonOf, RequestError } from '../../../../libs/errors/request-error.ts';
import { insertTest, type TriedMessage } from '../../../../libs/store/notifications/tests.ts';
import { alertTestAnswer } from '../../contract/alerts.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { alertBody, composeAlert, type AlertDocument } from './compose.ts';
import { alertDocumentOf, findNamedAlert, noAlert, requireAlertName } from './named-alert.ts';

type Body = Static<typeof alertBody>;
type TestData = { rule: string; namespace: string };

/** Trying what a rule for alerts would send. */
export const alertTryEndpoints: Endpoint[] = [
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
      const { namespace, params } = request;
      const document = await documentToTest(request);
      const data = { rule: params['name'] ?? '', namespace: namespace.path };
      const messages = await tryAll(request, document, data);
      await keep(request, { channel: document.settings.channel, messages }, data);
      const tries = messages.map(({ recipient, ok: isOk, detail }) => ({ recipient, ok: isOk, detail }));
      request.note({ tested: tries.map(({ recipient, ok: isOk }) => ({ recipient, ok: isOk })) });
      return ok({ ok: tries.every((one) => one.ok), tries });
    },
  }),
];

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

async function tryAll(
  request: ApiRequest,
  { settings, secrets }: AlertDocument,
  data: TestData,
): Promise<TriedMessage[]> {
  const newId = (): string => `msg_${randomId(24)}`;
  if (secrets) {
    const { commands } = request.services;
    const id = newId();
    const answer = await commands
      .call('key-maintenance', 'test-webhook', { ...secrets, id, data })
      .catch(describeRefusal);
    return [{ messageId: id, recipient: new URL(secrets.url).host, ...answer }];
  }
  return Promise.all(
    settings.addresses.map(async (recipient) => {
      const messageId = newId();
      return { messageId, recipient, ...(await tryEmail(request, { to: recipient, messageId }, data)) };
    }),
  );
}

async function tryEmail(
  { services }: ApiRequest,
  { to, messageId }: { to: string; messageId: string },
  { rule }: TestData,
): Promise<{ ok: boolean; detail: string }> {
  const text = [
    `This message shows that the rule ${rule} for alerts can reach you.`,
    'Nothing has happened.',
    '',
    `Installation ${services.installation.id}`,
    '',
  ].join('\n');
  const subject = `Sealift: test of the alert rule ${rule}`;
  try {
    await services.commands.call('settings', 'send-mail', {
      to,
      subject,
      text,
      messageId: `<${messageId}@sealift>`,
    });
    return { ok: true, detail: 'The mail server took the message.' };
  } catch (error) {
    return describeRefusal(error);
  }
}

// What is only typed has no rule yet that its messages could belong to.
async function keep(
  request: ApiRequest,
  tried: Parameters<typeof insertTest>[2],
  data: TestData,
): Promise<void> {
  await transact(request.services.db, async (transaction) => {
    const rule = await findNamedAlert(request, { db: transaction, lock: true });
    if (!rule) return;
    await insertTest(
      transaction,
      { id: `ntf_${randomId(24)}`, ruleId: rule.id, at: new Date(), data },
      tried,
    );
  });
}

function describeRefusal(error: unknown): { ok: boolean; detail: string } {
  if (!(error instanceof RequestError)) throw error;
  return { ok: false, detail: `Not sent: ${reasonOf(error).replace(/; nothing was \w+$/, '')}.` };
}
