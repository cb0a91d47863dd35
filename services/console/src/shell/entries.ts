import {
  Activity,
  Bell,
  Database,
  HeartPulse,
  KeyRound,
  ScrollText,
  Settings,
  TriangleAlert,
  Users,
  type LucideIcon,
} from 'lucide-react';
import { AUDIT, MOUNTS, type Right } from '../api/right.ts';
import { SUMMARY } from '../api/summary.ts';
import { ACCESS, type Place } from '../kit/rights/access-pages.ts';
import { SETTINGS } from '../kit/rights/settings-pages.ts';

/** A page in the navigation, or a section of pages; it leads to the first of them that the user may see. */
export type Entry = Place & { icon: LucideIcon; exact?: boolean; pages?: Place[] };

const read = (path: string): Right => ({ path, capability: 'read' });

/** Whoever may enter a mount has this page too. */
export const SECRETS = '/secrets/';

/** The pages of the navigation, in order. */
export const ENTRIES: Entry[] = [
  { to: '/', label: 'Overview', icon: Activity, exact: true, right: SUMMARY },
  { to: '/problems', label: 'Problems', icon: TriangleAlert, right: SUMMARY },
  {
    to: '/destinations',
    label: 'Destinations',
    icon: Database,
    right: read('sys/sync/summary/destinations'),
  },
  { to: SECRETS, label: 'Secrets', icon: KeyRound, right: MOUNTS },
  { to: '/alerts', label: 'Alerts', icon: Bell, right: { path: 'sys/alerts', capability: 'list' } },
  { to: '/settings/saml', label: 'Settings', icon: Settings, pages: SETTINGS },
  { to: '/access/tokens', label: 'Access', icon: Users, pages: ACCESS },
  { to: '/audit', label: 'Audit', icon: ScrollText, right: AUDIT },
  { to: '/status', label: 'Status', icon: HeartPulse, right: read('sys/status') },
];

/** The path of a page below the console's own. */
export function pagePathOf(pathname: string): string {
  return pathname.replace(/^\/ui(?=\/|$)/, '') || '/';
}

// Pages whose addresses begin otherwise than that of the entry which they belong to.
const BELONGING: Record<string, string> = {
  '/links': '/destinations',
  '/connect': '/destinations',
  '/github-apps': '/destinations',
  '/new-alert': '/alerts',
  '/activity': '/secrets',
  '/readers': '/secrets',
};

/** Whether a page belongs to the section of an entry. */
export function isIn(
  path: string,
  { to, exact = false, pages = [] }: Pick<Entry, 'to' | 'exact' | 'pages'>,
): boolean {
  if (exact) return path === to;
  const place = BELONGING[sectionOf(path)] ?? path;
  return [to, ...pages.map((page) => page.to)].some((one) => place.startsWith(sectionOf(one)));
}

/** Where the pages of an entry's section are: it leads to the first of them. */
export function sectionOf(to: string): string {
  return `/${to.split('/')[1]}`;
}
