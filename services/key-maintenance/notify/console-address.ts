import type { Config } from '../../../libs/config/config.ts';

type DestinationName = { namespace: string; type: string; name: string };

type Given = Pick<Config, 'PUBLIC_URL' | 'CONSOLE'>;

/**
 * The page of the console that shows what a notification is about; empty if it has none, or if this process does not know
 * the console's address.
 */
export function consoleAddress(
  { PUBLIC_URL: base, CONSOLE: console }: Given,
  { kind, data }: { kind: string; data: Record<string, unknown> },
): string {
  if (base === '' || console !== 'on') return '';
  const { namespace = '', type = '', name = '' } = (data['destination'] ?? {}) as Partial<DestinationName>;
  const page =
    kind === 'associations.failing'
      ? `destinations/${encodeURIComponent(type)}/${encodeURIComponent(name)}`
      : (PAGES[kind] ?? '');
  const query = namespace === '' ? '' : `?ns=${encodeURIComponent(namespace)}`;
  return `${base.replace(/\/+$/, '')}/ui/${page}${query}`;
}

const PAGES: Record<string, string> = {
  'associations.resolved': 'problems/timeline',
  'workers.missing': 'status',
  'workers.returned': 'status',
  'dead-letters.appeared': 'status',
};
