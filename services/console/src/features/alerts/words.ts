import type { AlertDeliveryAnswer, AlertStateAnswer } from '../../../../api/contract/alerts.ts';
import { counted } from '../../kit/text/counted.ts';

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
  failed: 'Not delivered',
};

/** What a message tells. */
export const HAPPENINGS: Record<string, string> = {
  'associations.failing': 'Secrets fail to sync',
  'associations.resolved': 'Secrets no longer fail',
  'workers.missing': 'No worker runs',
  'workers.returned': 'Workers run again',
  'key.rotated': 'A key was rotated',
  'dead-letters.appeared': 'Unreadable messages',
  'alert.test': 'Test',
};

const STORE = /^(?:(.+)\/)?([^/]+)\/([^/:]+): (\d+)( rate limited)?$/;

/** What a message is about, as other pages say it: a destination by its name, with how many links and what they are. */
export function aboutText(
  about: string,
  kinds: string[],
  nameOf: (type: string, name: string) => string,
): string {
  const found = STORE.exec(about);
  if (!found) return about;
  const [, namespace, type = '', name = '', count, limited] = found;
  const links = counted(Number(count), 'link');
  const standing = kinds.every((kind) => kind === 'associations.resolved')
    ? 'no longer failing'
    : limited
      ? 'rate limited'
      : 'failing';
  return `${namespace ? `${namespace}: ` : ''}${nameOf(type, name)}: ${links} ${standing}`;
}
