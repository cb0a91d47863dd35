/** An attempt at an entry in a store. */
type Attempted = { action: string; outcome: string };

// The dots stand for the entry, and for the store after `reach`.
const WORDS: Record<string, [done: string, tried: string]> = {
  create: ['Created …', 'Tried to create …'],
  update: ['Updated …', 'Tried to update …'],
  delete: ['Deleted …', 'Tried to delete …'],
  gone: ['Found … already gone', 'Found … already gone'],
  tag: ['Marked …', 'Tried to mark …'],
  unchanged: ['Nothing to change in …', 'Tried to compare …'],
  adopt: ['Adopted …; its value was the same', 'Tried to adopt …'],
  replace: ['Adopted … and replaced its value', 'Tried to adopt …'],
  overwrite: ['Overwrote …', 'Tried to overwrite …'],
  look: ['Looked at …', 'Tried to look at …'],
  reach: ['Reached …', 'Tried to reach …'],
  none: ['Left … alone', 'Left … alone'],
  changed: ['', 'Found that someone changed …, and left it'],
  missing: ['', 'Found that someone deleted …'],
  recovered: ['Found that the drift of … has ended', ''],
};

/** The outcomes of attempts that succeeded: the store took the write or the deletion; some confirm it only later. */
export const TAKEN_OUTCOMES = ['SYNCED', 'SYNCING', 'UNSYNCED', 'UNSYNCING'];

/** What somebody did to a secret other than saving a version; `versions` is absent if all of it was deleted. */
export type SecretChange = { kind: 'delete' | 'undelete' | 'destroy'; versions?: number[] };

const DEEDS = { delete: 'deleted', undelete: 'restored', destroy: 'destroyed' };

// None says that an entry was written: the attempt itself says what came of it.
const TRIGGERS: Record<string, string> = {
  write: 'Secret changed',
  link: 'Linked',
  relink: 'Linked again',
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
  expiry: 'Version expired',
  withdraw: 'Request withdrawn',
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

/** What that was: "v3", and what was done to it: "deleted". */
export function changeWords({ kind, versions }: SecretChange): { what: string; deed: string } {
  const names = versions?.map((version) => `v${version}`);
  const what = names ? new Intl.ListFormat('en').format(names) : 'the secret';
  return { what, deed: DEEDS[kind] };
}

/**
 * The change of its secret that brought a version to the store, or took it away; undefined if an attempt was not for such a
 * change, or brought a version that was saved meanwhile.
 */
export function changeBehind({
  change,
  version,
}: {
  change?: SecretChange;
  version: number | null;
}): SecretChange | undefined {
  if (version === null || !change?.versions) return change;
  const { kind, versions } = change;
  const isBehind = kind === 'undelete' ? versions.includes(version) : versions.some((one) => one > version);
  return isBehind ? change : undefined;
}

/** Whether an attempt wrote an older version, because a newer one was deleted. */
export function isFallback(attempt: { change?: SecretChange; version: number | null }): boolean {
  const change = changeBehind(attempt);
  return attempt.version !== null && change !== undefined && change.kind !== 'undelete';
}
