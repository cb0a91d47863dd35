import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readRequest, sendReply } from '../transport.ts';
import type { FakeReply, FakeRequest } from '../contract.ts';

export type SentSms = { accountSid: string; from: string; to: string; body: string };

/** A stand-in for the SMS provider's REST API, with its accounts, their tokens and their sender numbers. */
export type SmsFake = {
  url: string;
  messages: SentSms[];
  addAccount: (account: { sid: string; token: string; numbers: string[] }) => void;
  /** From now on calls get this status, or with `hang` no answer; undefined ends that. */
  fail: (how: number | 'hang' | undefined) => void;
  close: () => Promise<void>;
};

/** Has those errors of the real API that matter here: 20003 bad login, 21211 bad target, 21660 a foreign sender number. */
export async function startSmsFake(): Promise<SmsFake> {
  const accounts = new Map<string, { token: string; numbers: string[] }>();
  const messages: SentSms[] = [];
  let failure: number | 'hang' | undefined;

  function answer(request: FakeRequest): FakeReply {
    if (typeof failure === 'number') return refusal(failure, 20500, 'Internal Server Error');
    const sid = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/.exec(request.path)?.[1];
    if (request.method !== 'POST' || !sid) return refusal(404, 20404, 'The requested resource was not found');
    const account = accounts.get(sid);
    if (!account || !isLogin(request, sid, account.token)) return refusal(401, 20003, 'Authenticate');
    const form = new URLSearchParams(request.body.toString());
    const [from, to, body] = ['From', 'To', 'Body'].map((name) => form.get(name) ?? '') as [
      string,
      string,
      string,
    ];
    if (!/^\+?[\d\s().-]{7,}$/.test(to))
      return refusal(400, 21211, `The 'To' number ${to} is not a valid phone number.`);
    if (!account.numbers.includes(from))
      return refusal(400, 21660, 'Mismatch between the From number and the account');
    if (body === '') return refusal(400, 21602, 'Message body is required.');
    messages.push({ accountSid: sid, from, to, body });
    return created(sid, messages.length, { from, to, body });
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    if (failure !== 'hang') sendReply(response, answer(request));
  }

  const server = createServer(
    (message, response) => void serve(message, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    addAccount: ({ sid, token, numbers }) => accounts.set(sid, { token, numbers }),
    fail: (fault) => {
      failure = fault;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isLogin({ headers }: FakeRequest, sid: string, token: string): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
}

function refusal(status: number, code: number, message: string): FakeReply {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

function created(sid: string, count: number, sent: { from: string; to: string; body: string }): FakeReply {
  const id = `SM${String(count).padStart(32, '0')}`;
  const now = new Date().toUTCString();
  return {
    status: 201,
    body: {
      ...sent,
      sid: id,
      account_sid: sid,
      api_version: '2010-04-01',
      date_created: now,
      date_updated: now,
      date_sent: null,
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
      messaging_service_sid: null,
      num_media: '0',
      num_segments: '1',
      price: null,
      price_unit: null,
      status: 'queued',
      subresource_uris: {},
      uri: `/2010-04-01/Accounts/${sid}/Messages/${id}.json`,
    },
  };
}
