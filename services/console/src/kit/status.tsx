import {
  Ban,
  CircleCheck,
  CirclePause,
  CircleQuestionMark,
  Clock,
  CloudOff,
  Cog,
  EqualNot,
  RefreshCw,
  Timer,
  OctagonAlert,
  type LucideIcon,
} from 'lucide-react';
import kit from './kit.module.css';

type Look = { word: string; icon: LucideIcon; tone: string; plural?: string; title?: string };

const LOOKS: Record<string, Look> = {
  SYNCED: { word: 'In sync', icon: CircleCheck, tone: 'ok' },
  SYNCING: { word: 'Syncing', icon: RefreshCw, tone: 'busy' },
  UNSYNCING: { word: 'Removing', icon: RefreshCw, tone: 'busy' },
  PENDING: { word: 'Pending', icon: Clock, tone: 'idle' },
  // Not a status of the API: what is pending while it is paused.
  PAUSED: { word: 'Paused', icon: CirclePause, tone: 'idle' },
  UNSYNCED: { word: 'Nothing to sync', icon: Ban, tone: 'idle' },
  THROTTLED: { word: 'Rate limited', icon: Timer, tone: 'limited' },
  EXTERNAL_SERVICE_ERROR: { word: 'Store error', icon: CloudOff, tone: 'outage', plural: 'store errors' },
  CLIENT_SIDE_ERROR: {
    word: 'Needs attention',
    icon: OctagonAlert,
    tone: 'person',
    plural: 'need attention',
  },
  DRIFTED: { word: 'Drifted', icon: EqualNot, tone: 'drift', title: 'Changed in the store' },
  INTERNAL_ERROR: { word: 'Internal error', icon: Cog, tone: 'person', plural: 'internal errors' },
  // Not a status of the API: a write that the store took.
  UNCONFIRMED: { word: 'To be confirmed', icon: RefreshCw, tone: 'busy' },
  // Not a status of the API: an entry that is gone because it should be.
  DELETED: { word: 'Deleted', icon: Ban, tone: 'idle' },
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

/** A status in words where links of several destinations have it: some of those may be paused. */
export function wordOfMany(status: string): string {
  const { word } = lookOf(status);
  return status === 'PENDING' ? `${word} or paused` : word;
}

/** Every status as a filter for links of several destinations. */
export const STATUS_OPTIONS: [value: string, text: string][] = [
  ['', 'Any status'],
  ...STATUSES.map((status): [string, string] => [status, wordOfMany(status)]),
];

/** The status to show, by its cause: a rate limit is no error of the store, and what a pause holds back is paused. */
export function statusByCause(status: string, cause: { code: string } | null | undefined): string {
  return cause?.code === 'rate_limited' ? 'THROTTLED' : statusInPause(status, cause?.code === 'paused');
}

/** The status to show for links that may be paused: what is pending then waits for nothing but the end of the pause. */
export function statusInPause(status: string, isPaused: boolean): string {
  return isPaused && status === 'PENDING' ? 'PAUSED' : status;
}

/** A number of links with a status, in words: `4 need attention`. */
export function describeCount(status: string, count: number): string {
  const { word, plural } = lookOf(status);
  return `${count.toLocaleString('en')} ${count !== 1 && plural ? plural : word.toLowerCase()}`;
}

/** A status by shape, word and colour. */
export function Status({ status, count }: { status: string; count?: number }) {
  const { word, icon: Icon, tone, title } = lookOf(status);
  return (
    <span className={`${kit.chip} ${kit[tone] ?? ''}`} title={title}>
      <Icon size={15} aria-hidden />
      {count === undefined ? word : describeCount(status, count)}
    </span>
  );
}
