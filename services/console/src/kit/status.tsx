import {
  Ban,
  CircleCheck,
  CircleQuestionMark,
  Clock,
  CloudOff,
  Cog,
  EqualNot,
  RefreshCw,
  Timer,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import kit from './kit.module.css';

type Look = { word: string; icon: LucideIcon; tone: string; plural?: string };

const LOOKS: Record<string, Look> = {
  SYNCED: { word: 'In sync', icon: CircleCheck, tone: 'ok' },
  SYNCING: { word: 'Syncing', icon: RefreshCw, tone: 'busy' },
  UNSYNCING: { word: 'Removing', icon: RefreshCw, tone: 'busy' },
  PENDING: { word: 'Waiting', icon: Clock, tone: 'idle' },
  UNSYNCED: { word: 'No live version', icon: Ban, tone: 'idle' },
  THROTTLED: { word: 'Store limits', icon: Timer, tone: 'limited' },
  EXTERNAL_SERVICE_ERROR: { word: 'Store fails', icon: CloudOff, tone: 'outage' },
  CLIENT_SIDE_ERROR: { word: 'Needs a person', icon: UserRound, tone: 'person', plural: 'need a person' },
  DRIFTED: { word: 'Changed outside', icon: EqualNot, tone: 'drift' },
  INTERNAL_ERROR: { word: 'Our fault', icon: Cog, tone: 'person' },
};

const UNKNOWN: Look = { word: 'Unknown', icon: CircleQuestionMark, tone: 'idle' };

/** Every status, the worst first. */
export const STATUSES = [
  'CLIENT_SIDE_ERROR',
  'INTERNAL_ERROR',
  'EXTERNAL_SERVICE_ERROR',
  'DRIFTED',
  'THROTTLED',
  'PENDING',
  'SYNCING',
  'UNSYNCING',
  'UNSYNCED',
  'SYNCED',
];

export function lookOf(status: string): Look {
  return LOOKS[status] ?? UNKNOWN;
}

/** A status by shape, word and colour. */
export function Status({ status, count }: { status: string; count?: number }) {
  const { word, icon: Icon, tone, plural } = lookOf(status);
  const counted = count !== 1 && plural ? plural : word.toLowerCase();
  return (
    <span className={`${kit.chip} ${kit[tone] ?? ''}`}>
      <Icon size={15} aria-hidden />
      {count === undefined ? word : `${count.toLocaleString('en')} ${counted}`}
    </span>
  );
}
