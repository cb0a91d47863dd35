import type { EntryKey, Found, Session } from '../../../libs/connector/contract.ts';
import { areSame, areWithin, labelsOf, nameEnvironments, readReference } from './marks.ts';
import type { Row } from './rows.ts';
import {
  blockageOf,
  isChangedByOthers,
  isInTheWay,
  ownerOfRow,
  referenceTo,
  sharedMessage,
  takenMessage,
} from './ownership.ts';
import type { OpenStore, Project } from './project.ts';

/** Where rows are read. */
type Rows = Omit<OpenStore, 'project'> & { project: Pick<Project, 'container' | 'list' | 'find'> };

/** Lists the rows once. Of those that it lists, only one whose value can be read takes a call of its own. */
export async function surveyEntries(store: OpenStore, signal: AbortSignal): Promise<Pick<Session, 'read'>> {
  const { project } = store;
  const listed = await project.list(signal);
  const byId = new Map(listed.rows.map((row) => [row.id, row]));
  const seen: Rows['project'] = {
    container: project.container,
    list: async () => listed,
    find: async (id, own) => {
      const row = byId.get(id);
      return row?.isSensitive ? row : project.find(id, own);
    },
  };
  return { read: (entry, own) => readEntry({ ...store, project: seen }, entry, own) };
}

/**
 * Reads a row that the ledger knows in one call; otherwise lists the rows, then reads the value. If several rows have the
 * name, one that is not ours is returned first, and of these one without a mark.
 */
export async function readEntry(store: Rows, entry: EntryKey, signal: AbortSignal): Promise<Found | null> {
  const known = await findKnown(store, entry, signal);
  const { row, ...more } = known
    ? { row: known, ...fateOf(store, known, entry.reference) }
    : await findByName(store, entry, signal);
  if (!row) return null;
  return {
    owner: ownerOfRow(store, row, entry.reference),
    value: row.value,
    changedAt: row.changedAt,
    createdAt: row.createdAt,
    isChangedByOthers: isChangedByOthers(row, entry.reference),
    tags: {
      environments: nameEnvironments(row.environments),
      ...(row.comment === '' ? {} : { comment: row.comment }),
    },
    ...more,
    becomes: becomingOf(store, row),
    reference: referenceTo(store, row, entry.reference),
  };
}

// What becomes of a row that the ledger knows: someone may have given it other environments.
function fateOf(
  store: Rows,
  row: Row,
  reference: string | null,
): Pick<Found, 'blocked' | 'moves' | 'staysIn'> {
  const wanted: string[] = store.settings.deployment_environments;
  const owned = [...wanted, ...(readReference(reference)?.environments ?? [])];
  return {
    blocked: areWithin(row.environments, owned) ? undefined : sharedMessage(store, row),
    moves: {
      addedTo: labelsOf(wanted.filter((one) => !row.environments.includes(one))),
      removedFrom: labelsOf(row.environments.filter((one) => !wanted.includes(one))),
    },
    staysIn: labelsOf(row.environments.filter((one) => !owned.includes(one))),
  };
}

// Without a write, it would stay readable or would be missing in an environment.
function becomingOf({ settings }: Rows, { environments, isSensitive }: Row): string | undefined {
  const { deployment_environments: wanted, sensitive } = settings;
  const changes = [
    ...(areSame(environments, wanted) ? [] : [`gets the environments ${nameEnvironments(wanted)}`]),
    ...(isSensitive || !sensitive ? [] : ['becomes sensitive']),
  ];
  return changes.length > 0 ? changes.join(' and ') : undefined;
}

async function findKnown(
  { project }: Rows,
  { name, reference }: EntryKey,
  signal: AbortSignal,
): Promise<Row | null> {
  const known = readReference(reference);
  const row = known && (await project.find(known.id, signal));
  // Somebody gave the row another key, so it no longer exists under this name.
  return row?.key === name ? row : null;
}

async function findByName(
  store: Rows,
  { name, besides = null }: EntryKey,
  signal: AbortSignal,
): Promise<{ row: Row | null; blocked?: string | undefined }> {
  const { rows, requireAll } = await store.project.list(signal);
  const own = readReference(besides)?.id;
  const candidates = rows.filter((row) => row.id !== own && isInTheWay(store, row, name));
  const ownerOf = (row: Row): Found['owner'] => ownerOfRow(store, row, null);
  const shown =
    candidates.find((row) => ownerOf(row) === 'unmarked') ??
    candidates.find((row) => ownerOf(row) !== 'ours') ??
    candidates[0];
  if (shown)
    return {
      row: await store.project.find(shown.id, signal),
      // Ours cannot have the environments of another one.
      blocked: own === undefined ? blockageOf(store, shown, candidates) : takenMessage(store, candidates),
    };
  requireAll();
  return { row: null };
}
