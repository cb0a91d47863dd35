import type { Notification } from '../../../libs/store/notifications/notifications.ts';
import type { WebhookCall } from './webhook.ts';

/** The body of a webhook's call: one notification, or all that quiet hours have held. */
export function toCall({
  id,
  notifications,
  installation,
}: {
  id: string;
  notifications: Notification[];
  installation: string;
}): WebhookCall {
  const [first, ...others] = notifications;
  if (!first) throw new Error('a message has no notification');
  const { kind, happenedAt, data } = first;
  if (others.length === 0) return { id, type: kind, timestamp: happenedAt, data: { installation, ...data } };
  return {
    id,
    type: 'alerts.held',
    timestamp: happenedAt,
    data: {
      installation,
      total: notifications.length,
      notifications: notifications.map((one) => ({
        type: one.kind,
        timestamp: one.happenedAt.toISOString(),
        data: one.data,
      })),
    },
  };
}
