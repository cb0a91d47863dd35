import { findDestinationType } from '../../connectors/catalog.ts';
import { groupBy } from '../../../libs/collections/group-by.ts';
import { counted } from '../../../libs/collections/counted.ts';
import { SHARED_CAUSES, type CauseRow } from '../../../libs/connector/causes.ts';
import { ENGINE_CAUSES } from '../../../libs/connector/engine-causes.ts';
import type { Commands } from '../../../libs/commands/commands.ts';
import type { Notification } from '../../../libs/store/notifications/notifications.ts';

type Data = {
  destination?: { namespace: string; type: string; name: string };
  associations?: { mount: string; secret_name: string; since: string; class: string; code: string }[];
  minutes?: number;
  total?: number;
  new?: number;
  key?: string;
  id?: string;
  workers?: { name: string; since: string }[];
};

const PREFIX = /^Sealift: /;

type TellTime = (time: string | Date) => string;

type Text = { subject: string; lines: string[] };

/**
 * Asks the settings worker to send a message. Returns a sentence about what the mail server did. Throws the RequestError
 * of its refusal; 503 if no worker runs.
 */
export async function sendEmail(
  commands: Commands,
  mail: {
    id: string;
    notifications: Notification[];
    recipient: string;
    installation: string;
    /** The zone of the times in it; empty: that of the process. */
    timeZone: string;
    /** The address of the page about a notification; empty: unknown. */
    pageOf: (notification: Notification) => string;
  },
): Promise<string> {
  const { id, notifications, recipient, installation, timeZone, pageOf } = mail;
  const { subject, lines } = composeMessage(notifications, tellTimeIn(timeZone), pageOf);
  const text = [...lines, '', `Installation ${installation}, notification ${id}`, ''].join('\n');
  // The same id for every try, so that a mailbox can recognise a repeated message.
  const messageId = `<${id}@sealift>`;
  await commands.call('settings', 'send-mail', { to: recipient, subject, text, messageId });
  return 'The mail server took the message.';
}

/** A notification in one line, with what the most frequent cause means, or how a worker is started. */
export function summarize({ kind, data, ...rest }: Notification): string {
  const { subject } = describe({ kind, data, ...rest }, tellTimeIn(''));
  const { workers = [] } = data as Data;
  const [first] =
    kind === 'associations.failing'
      ? adviceOn(data)
      : kind === 'workers.missing'
        ? workers.map(({ name }) => `Start it: sealift serve ${name}`)
        : [];
  return `${subject.replace(PREFIX, '')}${first ? `. ${first}` : ''}`;
}

// The causes, the most frequent first, and how many links have each, if all links are named.
function shareOf(data: Data): string {
  const causes = causesOf(data);
  const isWhole = data.associations?.length === data.total;
  return causes.length < 2
    ? causes.map(([code]) => code).join('')
    : causes.map(([code, count]) => (isWhole ? `${count} with ${code}` : code)).join(', ');
}

// As the console tells it: `27 Nov 2026, 16:05:03 UTC`.
function tellTimeIn(timeZone: string): TellTime {
  const zone = timeZone === '' ? {} : { timeZone };
  return (time) =>
    new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long', ...zone });
}

function composeMessage(
  notifications: Notification[],
  tellTime: TellTime,
  pageOf: (one: Notification) => string,
): Text {
  const texts = notifications.map((one) => composeEmail(one, tellTime, pageOf(one)));
  const [only, ...others] = texts;
  if (only && others.length === 0) return only;
  return {
    subject: `Sealift: ${counted(texts.length, 'alert')} that were held`,
    lines: [
      'This happened while alerts were held, in quiet hours or while muted, the oldest first:',
      ...texts.flatMap(({ subject, lines }) => ['', subject.replace(PREFIX, ''), '', ...lines]),
    ],
  };
}

// The text of a notification for people.
function composeEmail({ kind, happenedAt, data }: Notification, tellTime: TellTime, page: string): Text {
  const { subject, lines } = describe({ kind, happenedAt, data }, tellTime);
  return { subject, lines: [...lines, ...(page === '' ? [] : [`More in the console: ${page}`])] };
}

function describe({ kind, happenedAt, data }: Omit<Notification, 'id'>, tellTime: TellTime): Text {
  const seenAt = `Seen at ${tellTime(happenedAt)}.`;
  const { total = 0, new: added = 0, key, id } = data as Data;
  switch (kind) {
    case 'associations.failing':
      return describeFailing(data, seenAt, tellTime);
    case 'associations.resolved':
      return describeResolved(data, seenAt, tellTime);
    case 'workers.missing':
    case 'workers.returned':
      return describeWorkers(kind === 'workers.missing', data, seenAt, tellTime);
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

function describeFailing(data: Data, seenAt: string, tellTime: TellTime): Text {
  const { minutes = 0, total = 0 } = data;
  const name = nameOf(data);
  return {
    subject: [`Sealift: ${counted(total, 'link fails', 'links fail')} at ${name}`, shareOf(data)]
      .filter(Boolean)
      .join(': '),
    lines: [
      `These secrets have been out of sync at ${name} for more than ${counted(minutes, 'minute')}:`,
      '',
      ...listOf(data, (one) => `: ${one.code}, since ${tellTime(one.since)}`),
      '',
      ...whatToDo(data),
      'sealift incidents shows more.',
      seenAt,
    ],
  };
}

function describeResolved(data: Data, seenAt: string, tellTime: TellTime): Text {
  const name = nameOf(data);
  const { total = 0 } = data;
  return {
    subject: `Sealift: ${counted(total, 'link no longer fails', 'links no longer fail')} at ${name}`,
    lines: [
      `These secrets no longer fail to sync to ${name}:`,
      '',
      ...listOf(data, (one) => `, which failed since ${tellTime(one.since)}`),
      '',
      seenAt,
    ],
  };
}

function describeWorkers(
  isMissing: boolean,
  { workers = [], minutes = 0 }: Data,
  seenAt: string,
  tellTime: TellTime,
): Text {
  const names = workers.map(({ name }) => titleOfWorker(name)).join(', ');
  if (!isMissing)
    return { subject: `Sealift: running again: ${names}`, lines: ['What waited for them goes on.', seenAt] };
  return {
    subject: `Sealift: no worker runs: ${names}`,
    lines: [
      `For more than ${counted(minutes, 'minute')}, none of these has been running:`,
      '',
      ...workers.map(({ name, since }) => `  ${titleOfWorker(name)}, since ${tellTime(since)}`),
      '',
      'Changes are kept, and go on as soon as one runs. What to do: start them, and look why they ended:',
      '',
      ...workers.map(({ name }) => `  sealift serve ${name}`),
      '',
      'sealift doctor shows more.',
      seenAt,
    ],
  };
}

// Of a connector, the store comes first: `Vercel (connector hosting-project)`.
function titleOfWorker(name: string): string {
  const vendor = findDestinationType(name.replace(/^connector /, ''))?.title;
  return vendor === undefined ? name : `${vendor} (${name})`;
}

function whatToDo(data: Data): string[] {
  const advice = adviceOn(data);
  return advice.length === 0 ? [] : ['What to do:', '', ...advice.map((line) => `  ${line}`), ''];
}

// What each cause means, and what to do about it, for a person who has nothing else at hand.
function adviceOn(data: Data): string[] {
  const known: Record<string, CauseRow> = { ...SHARED_CAUSES, ...ENGINE_CAUSES };
  const causes = causesOf(data);
  return causes.flatMap(([code]) => {
    const { message = '', action = '' } = known[code] ?? {};
    if (message === '') return [];
    const advice = fillIn([message, action].filter(Boolean).join(' '));
    // The subject names the only cause.
    return [causes.length === 1 ? advice : `${code}: ${advice}`];
  });
}

// The codes and how many of the named links have each, the most frequent first.
function causesOf({ associations = [] }: Data): [code: string, count: number][] {
  const byCode = groupBy(associations, ({ code }) => code);
  return [...byCode]
    .map(([code, links]): [string, number] => [code, links.length])
    .toSorted(([, left], [, right]) => right - left);
}

// The store's own message is in no notification.
function fillIn(action: string): string {
  const text = action
    .replaceAll('{store}', 'the store')
    .replace(/\{\w+\}/g, 'its settings')
    .replace('that the message names', 'that its page in the console names');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

type Named = NonNullable<Data['associations']>[number];

function listOf({ associations = [], total = 0 }: Data, tell: (one: Named) => string): string[] {
  const left = total - associations.length;
  return [
    ...associations.map((one) => `  ${one.mount}/${one.secret_name}${tell(one)}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

function nameOf({ destination }: Data): string {
  if (!destination) return '';
  const { namespace, type, name } = destination;
  const vendor = findDestinationType(type)?.title;
  return `${namespace ? `${namespace}: ` : ''}${name}${vendor ? ` (${vendor})` : ''}`;
}
