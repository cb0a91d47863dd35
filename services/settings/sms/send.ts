import { badRequest } from '../../../libs/errors/request-error.ts';
import { withTimeout } from '../../../libs/time/with-timeout.ts';

const LIMIT_MS = 9500;
const PROVIDER_URL = 'https://api.twilio.com';

/** A text message and the account that sends it; empty `apiUrl`: the provider's own address. */
export type Sms = {
  accountSid: string;
  authToken: string;
  from: string;
  to: string;
  text: string;
  apiUrl: string;
};

/**
 * Sends once, without retries. Throws 400 with the provider's error code; its texts may repeat what we sent, so they are
 * left out.
 */
export async function sendSms(sms: Sms): Promise<void> {
  // The client is loaded only for real sending.
  const { default: twilio } = await import('twilio');
  const url = sms.apiUrl.replace(/\/+$/, '') || PROVIDER_URL;
  try {
    const client = new twilio.Twilio(sms.accountSid, sms.authToken, { timeout: LIMIT_MS, keepAlive: false });
    client.api.baseUrl = url;
    await withTimeout(LIMIT_MS, client.messages.create({ from: sms.from, to: sms.to, body: sms.text }));
  } catch (error) {
    throw badRequest(`Twilio did not accept the test message: ${describe(error, new URL(url).origin)}`);
  }
}

function describe(error: unknown, address: string): string {
  const { status, code, message } = error as { status?: unknown; code?: unknown; message?: unknown };
  if (status === 401 || status === 403) return 'it refused the account SID or the token';
  if (typeof status === 'number')
    return `it answered with status ${status}${typeof code === 'number' ? `, code ${code}` : ''}`;
  if (message === 'accountSid must start with AC') return 'the account SID must begin with AC';
  return `${address} cannot be reached, or did not answer in time`;
}
