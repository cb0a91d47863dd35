import type { Notification } from '../../../libs/store/notifications/notifications.ts';
import { summarize } from './email.ts';
import type { WebhookCall } from './webhook.ts';

/** The body of a webhook's call: one notification, or all that quiet hours have held. */
export function toCall({
  id,
  notifications,
  installation,
  pageOf,
}: {
  id: string;
  notifications: Notification[];
  installation: string;
  /** The address of the page about a notification; empty: unknown. */
  pageOf: (notification: Notification) => string;
}): WebhookCall {
  const [first, ...others] = notifications;
  if (!first) throw new Error('a message has no notification');
  const { kind, happenedAt } = first;
  const withWords = (one: Notification): Record<string, unknown> => {
    const page = pageOf(one);
    return { summary: summarize(one), ...(page === '' ? {} : { console: page }), ...one.data };
  };
  if (others.length === 0)
    return { id, type: kind, timestamp: happenedAt, data: { installation, ...withWords(first) } };
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
        data: withWords(one),
      })),
    },
  };
}
