import { createHash } from 'node:crypto';
import type { Client } from './client.ts';
import type { RepoHostSettings } from './settings.ts';
import { failures } from './failures.ts';
import { reachOfReference } from './write-times.ts';

/** How long the id of a repository is kept, in milliseconds: a repository that is made anew has another one. */
const KEPT_MS = 10 * 60_000;

/** Which repositories may read a secret. GitHub asks for it in each write for an organization, and nowhere else. */
export type Reach = {
  /** What the ledger keeps of it; undefined if it is not chosen. */
  mark: string | undefined;
  /** Whether the last write of a secret gave it another reach. */
  isOutdated: (reference: string | null) => boolean;
  /** Which repositories can no longer read a secret after a write, as far as the last one tells. */
  lost: (reference: string | null) => string[];
  /** What a write sends. Without the ids, GitHub would empty the list of a secret. */
  fields: (signal: AbortSignal) => Promise<Record<string, unknown>>;
  /** GitHub refused a write: a repository may have been made anew. */
  forget: () => void;
};

/** Reads the settings of an organization; for other places nothing is chosen. */
export function createReach(client: Client, settings: RepoHostSettings): Reach {
  if (client.place.kind !== 'organization')
    return {
      mark: undefined,
      isOutdated: () => false,
      lost: () => [],
      fields: () => Promise.resolve({}),
      forget: () => undefined,
    };
  const { organization_visibility: visibility = 'private', selected_repository_names: names = [] } = settings;
  const isSelected = visibility === 'selected';
  const mark = isSelected ? `selected-${digest(names)}` : visibility;
  let known: { ids: Promise<number[]>; until: number } | undefined;

  // A caller that gives up must not end the look-up for the others.
  async function findIds(signal: AbortSignal): Promise<number[]> {
    if (known && performance.now() < known.until) {
      const shared = await known.ids.catch(() => undefined);
      if (shared) return shared;
    }
    const ids = Promise.all(names.map((name) => findId(client, name, signal)));
    known = { ids, until: performance.now() + KEPT_MS };
    return ids;
  }

  return {
    mark,
    isOutdated: (reference) => reachOfReference(reference) !== mark,
    lost: (reference) => lostBetween(reachOfReference(reference), mark),
    fields: async (signal) => ({
      visibility,
      ...(isSelected ? { selected_repository_ids: await findIds(signal) } : {}),
    }),
    forget: () => void (known = undefined),
  };
}

async function findId(
  { call, place, credential }: Client,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  const organization = place.path.replace('/orgs/', '');
  const path = `/repos/${organization}/${name}`;
  const { status, data } = await call('GET', path, { signal, expected: [200, 301, 404] });
  if (status !== 200) {
    const message =
      status === 404
        ? `${organization} has no repository ${name}, or the ${credential} cannot see it: correct selected_repository_names, or give it access.`
        : `The repository ${organization}/${name} has another name now: correct selected_repository_names.`;
    throw failures.fail('selected_repository_not_found', { message });
  }
  const { id } = data;
  if (typeof id !== 'number') throw failures.fail('unexpected_answer');
  return id;
}

// Which repositories were selected before is not kept.
function lostBetween(before: string | undefined, after: string): string[] {
  if (before === undefined || before === after || after === 'all') return [];
  if (after.startsWith('selected')) return ['repositories that are not selected'];
  return before === 'all' ? ['public repositories'] : [];
}

// GitHub tells names apart by their letters only, not by their case.
function digest(names: string[]): string {
  const sorted = [...new Set(names.map((name) => name.toLowerCase()))].toSorted();
  return createHash('sha256').update(sorted.join('/')).digest('hex').slice(0, 16);
}
