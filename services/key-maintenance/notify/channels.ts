import { listSetting, type Config } from '../../../libs/config/config.ts';
import type { Channel } from '../../../libs/store/notifications/notifications.ts';
import type { AlertSettings } from '../../../libs/store/notifications/rules.ts';

/** The channels of the environment's settings; empty if there are none. */
export function channelsOf(config: Pick<Config, 'NOTIFY_WEBHOOK_URL' | 'NOTIFY_EMAIL'>): Channel[] {
  const addresses = new Set(listSetting(config.NOTIFY_EMAIL));
  return [
    ...(config.NOTIFY_WEBHOOK_URL ? [{ channel: 'webhook' as const, recipient: '' }] : []),
    ...[...addresses].map((recipient) => ({ channel: 'email' as const, recipient })),
  ];
}

/** The channels of a rule. */
export function channelsOfRule({ channel, addresses }: AlertSettings): Channel[] {
  return channel === 'webhook'
    ? [{ channel, recipient: '' }]
    : addresses.map((recipient) => ({ channel, recipient }));
}
