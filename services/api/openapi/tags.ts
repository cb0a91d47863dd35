import type { DocumentedRow } from './rows.ts';

type Tag = { name: string; description: string; of: RegExp };

const ADMINISTRATION = 'Site administration';

// The first that fits.
const TABLE: Tag[] = [
  { name: 'KV version 2', description: 'Secrets with versions.', of: /^\/~kv2/ },
  { name: 'KV version 1', description: 'Secrets without versions.', of: /^\/~kv1/ },
  { name: 'Sync', description: 'Destinations, and the secrets linked to them.', of: /^\/sys\/sync/ },
  { name: 'Events', description: 'Changes of secrets, as they happen.', of: /^\/sys\/events/ },
  { name: 'Alerts', description: 'Who is told what, and when.', of: /^\/sys\/alerts/ },
  { name: 'Console', description: 'Sessions of browsers.', of: /^\/auth\/session/ },
  { name: 'Auth methods', description: 'How machines log in.', of: /^\/(~\w+\/|sys\/auth)/ },
  { name: 'Tokens', description: 'Who may call, and for how long.', of: /^\/(auth|cubbyhole)/ },
  {
    name: 'Response wrapping',
    description: 'Answers that can be fetched once, with a token of their own.',
    of: /^\/sys\/wrapping\//,
  },
  {
    name: 'Workload identity',
    description: 'Signed tokens that tell other systems who calls.',
    of: /^\/(identity|\.well-known)/,
  },
  { name: 'Single sign-on', description: 'Log-in at a SAML identity provider.', of: /^\/(users|sys\/teams)/ },
  {
    name: 'Namespaces and rights',
    description: 'Namespaces, mounts and policies.',
    of: /^\/sys\/(mounts|mount-usage|internal|polic|revisions|namespaces|capabilities)/,
  },
  { name: 'System', description: 'The state of the service.', of: /^/ },
];

/** The groups of operations, in the order of the page. */
export const tags = [
  ...TABLE.map(({ name, description }) => ({ name, description })),
  { name: ADMINISTRATION, description: 'Settings of the whole site, in JSON API.' },
];

/** The name of the group that shows a row. */
export function tagOf({ dialect, path }: DocumentedRow): string {
  if (dialect === 'admin') return ADMINISTRATION;
  return TABLE.find(({ of }) => of.test(path))?.name ?? '';
}
