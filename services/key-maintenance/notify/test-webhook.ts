import { randomId } from '../../../libs/crypto/fingerprint.ts';
import { listSetting } from '../../../libs/config/config.ts';
import type { MaintenanceServices } from '../job.ts';
import { TEST } from '../../../libs/store/notifications/tests.ts';
import { callWebhook, DeliveryError } from './webhook.ts';

/** Calls a webhook from where alerts are sent, once. Never throws for what the receiver does. */
export async function testWebhook(
  { config, installation }: Pick<MaintenanceServices, 'config' | 'installation'>,
  {
    id = `msg_${randomId(24)}`,
    url,
    secret,
    data,
  }: { id?: string; url: string; secret: string; data: Record<string, unknown> },
): Promise<{ ok: boolean; detail: string }> {
  const now = new Date();
  const call = {
    id,
    type: TEST,
    timestamp: now,
    data: {
      installation: installation.id,
      summary: 'This is a test message. Nothing has happened.',
      ...data,
    },
  };
  try {
    const egressAllow = listSetting(config.EGRESS_ALLOW);
    return { ok: true, detail: await callWebhook({ url, secret, egressAllow }, call, now) };
  } catch (error) {
    if (error instanceof DeliveryError) return { ok: false, detail: error.message };
    throw error;
  }
}
