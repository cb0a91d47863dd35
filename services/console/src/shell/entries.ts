import {
  Activity,
  Database,
  HeartPulse,
  KeyRound,
  Package,
  ScrollText,
  Settings,
  TriangleAlert,
  Users,
  type LucideIcon,
} from 'lucide-react';

/** A page in the navigation. */
export type Entry = { to: string; label: string; icon: LucideIcon; exact?: boolean };

/** The pages of the navigation, in order. */
export const ENTRIES: Entry[] = [
  { to: '/', label: 'Overview', icon: Activity, exact: true },
  { to: '/problems', label: 'Problems', icon: TriangleAlert },
  { to: '/destinations', label: 'Destinations', icon: Database },
  { to: '/secrets/', label: 'Secrets', icon: KeyRound },
  { to: '/settings/general', label: 'Settings', icon: Settings },
  { to: '/access/tokens', label: 'Access', icon: Users },
  { to: '/versions', label: 'Versions', icon: Package },
  { to: '/audit', label: 'Audit', icon: ScrollText },
  { to: '/status', label: 'Status', icon: HeartPulse },
];
