import { createHmac } from 'node:crypto';
import { fetchOnce } from '../../../libs/egress/fetch-once.ts';
import { EgressError } from '../../../libs/egress/guard.ts';
import { counted } from '../../../libs/collections/counted.ts';

const LIMIT_MS = 8000;
const PREFIX = 'whsec_';

/** A message was not delivered; `code` and the text may be logged and shown. */
export class DeliveryError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'DeliveryError';
    this.code = code;
  }
}

export type Webhook = { url: string; secret: string; egressAllow: string[] };

/** What a webhook is told: `id` is the same for every try, `type` is the kind of the notification. */
export type WebhookCall = { id: string; type: string; timestamp: Date; data: Record<string, unknown> };

/**
 * Posts a message, signed by the Standard Webhooks specification: HMAC-SHA256 over id, time and body. Returns a sentence
 * about the answer. Throws a DeliveryError unless a 2xx answer comes within 8 s. Does not follow redirects.
 */
export async function callWebhook(
  { url, secret, egressAllow }: Webhook,
  { id, type, timestamp: happenedAt, data }: WebhookCall,
  now: Date,
): Promise<string> {
  const body = JSON.stringify({ type, timestamp: happenedAt.toISOString(), data });
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'sealift',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const means = { egressAllow, timeoutMs: LIMIT_MS };
  const { status } = await fetchOnce(url, { method: 'POST', headers, body }, means).catch(
    (error: unknown) => {
      throw describeFault(error);
    },
  );
  if (status >= 200 && status < 300) return `The receiver answered with status ${status}.`;
  const hint =
    status >= 300 && status < 400 ? ', a redirect, which is not followed: give the address it leads to' : '';
  throw new DeliveryError(`status_${status}`, `The receiver answered with status ${status}${hint}.`);
}

// The text of an error may hold the address, which is a secret; its code does not.
function describeFault(error: unknown): DeliveryError {
  if (error instanceof EgressError)
    return new DeliveryError(error.code, `It was not called: ${error.message}.`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = /^\w{1,60}$/.test(code) ? code : 'unknown';
  return new DeliveryError(known, `${describeCode(known)} (${known}).`);
}

function describeCode(code: string): string {
  if (/TIMEOUT|TIMEDOUT/i.test(code))
    return `The receiver did not answer within ${counted(LIMIT_MS / 1000, 'second')}`;
  if (/ENOTFOUND|EAI_AGAIN/.test(code)) return 'The name of the receiver does not resolve';
  if (code === 'ECONNREFUSED') return 'Nothing listens at the address of the receiver';
  if (/CERT|SIGNATURE|SELF_SIGNED/.test(code))
    return 'This machine does not trust the certificate of the receiver';
  if (/SSL|TLS|EPROTO/.test(code)) return 'The receiver could not be reached over TLS';
  return 'The connection to the receiver broke';
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}
