import type { Commands } from '../../../libs/commands/commands.ts';
import type { Notification } from '../../../libs/store/notifications/notifications.ts';
import { counted } from '../../../libs/collections/counted.ts';

type Data = {
  destination?: { namespace: string; type: string; name: string };
  associations?: { mount: string; secret_name: string; since: string; class: string; code: string }[];
  minutes?: number;
  total?: number;
  new?: number;
  key?: string;
  id?: string;
};

/** Asks the settings worker to send a notification. Throws the RequestError of its refusal; 503 if no worker runs. */
export async function sendEmail(
  commands: Commands,
  {
    notification,
    recipient,
    installation,
  }: { notification: Notification; recipient: string; installation: string },
): Promise<void> {
  const { subject, lines } = composeEmail(notification);
  const text = [...lines, '', `Installation ${installation}, notification ${notification.id}`, ''].join('\n');
  // The same id for every try, so that a mailbox can recognise a repeated message.
  const messageId = `<${notification.id}@sealift>`;
  await commands.call('settings', 'send-mail', { to: recipient, subject, text, messageId });
}

/** The text of a notification for people. */
export function composeEmail({ kind, happenedAt, data }: Notification): { subject: string; lines: string[] } {
  const seenAt = `Seen at ${happenedAt.toISOString()}.`;
  const { destination, associations = [], minutes = 0, total = 0, new: added = 0, key, id } = data as Data;
  switch (kind) {
    case 'associations.failing': {
      const name = destination
        ? `${destination.namespace ? `${destination.namespace}/` : ''}${destination.type}/${destination.name}`
        : '';
      const subject = `Sealift: ${counted(total, 'association fails', 'associations fail')} at ${name}`;
      const left = total - associations.length;
      return {
        subject,
        lines: [
          `These secrets could not be synced to ${name} for more than ${counted(minutes, 'minute')}:`,
          '',
          ...associations.map(
            (one) => `  ${one.mount}/${one.secret_name}: ${one.class} ${one.code}, since ${one.since}`,
          ),
          ...(left > 0 ? [`  and ${left} more`] : []),
          '',
          'The cause says what to fix: sealift association status, or the API.',
          seenAt,
        ],
      };
    }
    case 'key.rotated':
      return { subject: `Sealift: the ${key} was rotated`, lines: [`The new key is ${id}.`, seenAt] };
    default:
      return {
        subject: `Sealift: ${counted(added, 'new dead letter')}`,
        lines: [
          `No process could read ${counted(total, 'message')}: sealift dead-letters shows them.`,
          seenAt,
        ],
      };
  }
}
