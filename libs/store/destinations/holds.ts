import { WAITING_CAUSES } from '../../errors/waiting.ts';
import { DISABLED, PAUSED } from './pauses.ts';

/**
 * Why no worker may push to a destination `d`, although nothing fails. Everything but the code is SQL, which claims, the sweep
 * and the status evaluate for every destination: it must be cheap, and must not raise for anything that can be stored.
 */
type Hold = {
  code: keyof typeof WAITING_CAUSES;
  /** What it holds back: one destination, or all of the installation. */
  scope: 'destination' | 'installation';
  /** Whether it holds the destination back now; never null. */
  applies: string;
  since: string;
  /**
   * When it ends by itself; null while it lasts until somebody ends it. Absent: it always lasts until then. While it does not
   * apply, this is null or in the past, because work counts as claimable from the latest of all these times. A hold that comes
   * back, by the hour for example, gives the end of its last time.
   */
  until?: string;
};

// What is pushed, when the sweep wakes up, and the status, its cause and its times follow from this table. Where several
// apply, people see the first one.
const HOLDS: Hold[] = [
  { code: 'paused', scope: 'destination', applies: PAUSED, since: 'd.paused_at', until: 'd.paused_until' },
  {
    code: 'paused',
    scope: 'installation',
    applies: `(SELECT ${DISABLED} FROM sync_config)`,
    since: '(SELECT disabled_at FROM sync_config)',
    until: '(SELECT disabled_until FROM sync_config)',
  },
];

/** SQL: whether all pushes to a destination `d` are held back. */
export const HELD = `(${HOLDS.map(({ applies }) => applies).join(' OR ')})`;

/** SQL: whether a destination `d` is held back, and not only because the whole installation is. */
export const HELD_ALONE = `(${HOLDS.filter(({ scope }) => scope === 'destination')
  .map(({ applies }) => applies)
  .join(' OR ')})`;

/** SQL: the cause of the status of what waits. */
export const HELD_CAUSE = ofFirst(({ code }) => {
  const cause = { class: 'PENDING', code, message: WAITING_CAUSES[code].message };
  return `'${JSON.stringify(cause)}'::jsonb`;
});

/** SQL: since when it waits; null if that was not recorded. */
export const HELD_SINCE = ofFirst(({ since }) => since);

/** SQL: whether nothing holds back a destination `d` that lasts until somebody ends it. */
export const ENDS_BY_ITSELF = HOLDS.map(({ applies, until }) =>
  until === undefined ? `NOT ${applies}` : `NOT (${applies} AND ${until} IS NULL)`,
).join(' AND ');

/** SQL, for `greatest`: when each hold of a destination `d` ends or ended; null for one that it does not have. */
export const HOLD_ENDS = HOLDS.flatMap(({ until }) => until ?? []).join(', ');

/** SQL: when an association `a` of a destination `d` that is held back is tried next; null if somebody must end that before. */
export const NEXT_AFTER_HOLD = `CASE WHEN ${ENDS_BY_ITSELF} THEN greatest(${HOLD_ENDS}, a.due_at) END`;

function ofFirst(tell: (hold: Hold) => string): string {
  return `CASE ${HOLDS.map((hold) => `WHEN ${hold.applies} THEN ${tell(hold)}`).join(' ')} END`;
}
