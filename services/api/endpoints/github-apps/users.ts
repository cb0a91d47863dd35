import { counted } from '../../../../libs/collections/counted.ts';

const MOST = 3;

/** The destinations that use an app, in a message. */
export function tellUsers(users: { type: string; name: string }[]): string {
  const names = users.slice(0, MOST).map(({ type, name }) => `${type}/${name}`);
  const more = users.length > MOST ? ', …' : '';
  return `${counted(users.length, 'destination')} (${names.join(', ')}${more})`;
}
