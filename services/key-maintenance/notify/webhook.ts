import { createHmac } from 'node:crypto';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { guardedAgent } from '../../../libs/egress/agent.ts';
import type { Notification } from '../../../libs/store/notifications/notifications.ts';

const LIMIT_MS = 10_000;
const PREFIX = 'whsec_';

/** The receiver did not answer with success; `code` may be logged. */
class RefusedError extends Error {
  readonly code: string;
  constructor(status: number) {
    super(`the receiver answered with status ${status}`);
    this.name = 'RefusedError';
    this.code = `status_${status}`;
  }
}

export type Webhook = { url: string; secret: string; egressAllow: string[] };

/**
 * Posts a notification, signed by the Standard Webhooks specification: HMAC-SHA256 over id, time and body. Throws an
 * error with a `code` unless a 2xx answer comes within 10 s. Does not follow redirects.
 */
export async function callWebhook(
  { url, secret, egressAllow }: Webhook,
  { notification, installation, now }: { notification: Notification; installation: string; now: Date },
): Promise<void> {
  const agent = guardedAgent(url, { egressAllow }, { maxSockets: 1 });
  try {
    const { id, kind, happenedAt, data } = notification;
    const body = JSON.stringify({
      type: kind,
      timestamp: happenedAt.toISOString(),
      data: { installation, ...data },
    });
    const timestamp = String(Math.floor(now.getTime() / 1000));
    const signature = createHmac('sha256', keyOf(secret))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    const call = createFetch({ baseUrl: url, agent, timeoutMs: LIMIT_MS });
    const response = await call(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sealift',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    if (!response.ok) throw new RefusedError(response.status);
  } finally {
    void agent.destroy();
  }
}

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);
}
