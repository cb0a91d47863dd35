/** An attempt at an entry in a store. */
type Attempted = { action: string; outcome: string };

// The dots stand for the entry, and for the store after `reach`.
const WORDS: Record<string, [done: string, tried: string]> = {
  create: ['Created …', 'Tried to create …'],
  update: ['Updated …', 'Tried to update …'],
  delete: ['Deleted …', 'Tried to delete …'],
  tag: ['Marked …', 'Tried to mark …'],
  unchanged: ['Had nothing to change in …', 'Tried to compare …'],
  adopt: ['Adopted …; its value was the same', 'Tried to adopt …'],
  replace: ['Adopted … and replaced its value', 'Tried to adopt …'],
  overwrite: ['Overwrote …', 'Tried to overwrite …'],
  look: ['Looked at …', 'Tried to look at …'],
  reach: ['Reached …', 'Tried to reach …'],
  none: ['Left … alone', 'Left … alone'],
  changed: ['', 'Found that someone changed …, and left it'],
  missing: ['', 'Found that someone deleted …'],
};

/** The outcomes of attempts that succeeded: the store took the write or the deletion; some confirm it only later. */
export const TAKEN_OUTCOMES = ['SYNCED', 'SYNCING', 'UNSYNCED', 'UNSYNCING'];

// None says that an entry was written: the attempt itself says what came of it.
const TRIGGERS: Record<string, string> = {
  write: 'Secret changed',
  link: 'Linked',
  sync: 'Sync asked for',
  adopt: 'Adoption asked for',
  overwrite: 'Overwriting asked for',
  rename: 'New name asked for',
  unlink: 'Unlinking asked for',
  retry: 'Retry asked for',
  destination: 'Destination changed',
  drift: 'Changed in the store',
  name: 'Name became available',
  ledger: 'As a precaution',
  withdraw: 'Overwriting withdrawn',
  schedule: 'Automatic retry',
  verify: 'Compared with the store',
};

/**
 * What an attempt did, such as "Created …"; the dots stand for the entry, and for the store after `reach`. What failed was
 * only tried, so that nobody reads that it is in the store.
 */
export function attemptText({ action, outcome }: Attempted): string {
  const [done, tried] = WORDS[action] ?? [`${action} …`, `Tried to ${action} …`];
  return TAKEN_OUTCOMES.includes(outcome) ? done : tried;
}

/** Why an attempt was made, without who caused that. */
export function triggerText(cause: string): string {
  return TRIGGERS[cause] ?? cause;
}
