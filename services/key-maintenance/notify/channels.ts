import { listSetting, type Config } from '../../../libs/config/config.ts';
import type { Channel } from '../../../libs/store/notifications/notifications.ts';

/** The channels that the operator has configured; empty if notifications are off. */
export function channelsOf(config: Pick<Config, 'NOTIFY_WEBHOOK_URL' | 'NOTIFY_EMAIL'>): Channel[] {
  const addresses = new Set(listSetting(config.NOTIFY_EMAIL));
  return [
    ...(config.NOTIFY_WEBHOOK_URL ? [{ channel: 'webhook' as const, recipient: '' }] : []),
    ...[...addresses].map((recipient) => ({ channel: 'email' as const, recipient })),
  ];
}
