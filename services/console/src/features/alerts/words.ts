import type { AlertDeliveryAnswer, AlertStateAnswer } from '../../../../api/contract/alerts.ts';

/** Channels as people read them. */
export const CHANNELS: Record<AlertStateAnswer['channel'], string> = {
  email: 'Email',
  webhook: 'Webhook',
  'email and webhook': 'Email and webhook',
};

/** What became of a message. */
export const OUTCOMES: Record<AlertDeliveryAnswer['outcome'], string> = {
  delivered: 'Delivered',
  waiting: 'Will be retried',
  held: 'Held',
  given_up: 'Given up',
  dropped: 'Dropped',
};

/** What a message tells. */
export const HAPPENINGS: Record<string, string> = {
  'associations.failing': 'Secrets fail to sync',
  'associations.resolved': 'Secrets no longer fail',
  'workers.missing': 'No worker runs',
  'workers.returned': 'Workers run again',
  'key.rotated': 'A key was rotated',
  'dead-letters.appeared': 'Unreadable messages',
};
