import { externalName } from '../../../../libs/connector/names.ts';
import { findHolders } from '../../../../libs/store/associations/entries.ts';
import { listNameSources, type LinkedNameSource } from '../../../../libs/store/associations/name-sources.ts';
import type { DestinationOptions } from '../../../../libs/store/destinations/destinations.ts';
import { createPause } from '../../../../libs/time/slices.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';
import type { NamedDestination } from '../named-destination.ts';

// Everything is found of a destination of ordinary size, and a large one delays the answer by less than a second.
const MOST_NAMES = 10_000;
const PAGE = 1000;
const MOST_SHOWN = 3;
// A question about rights takes some microseconds.
const MOST_ASKED = 100;

type Naming = Pick<DestinationOptions, 'granularity' | 'secret_name_template'>;
type Named = Naming & { id: number; container: string };

type WishingEntry = LinkedNameSource & { subKey: string };

/** A name in the store, and the entries that would have it. `isElsewhere`: so has one of another destination. */
type Wish = { name: string; by: WishingEntry[]; isElsewhere: boolean };

/** Whether the entries of a destination get other names by a change of its options. */
export function areNamesChanged(before: Naming, after: Naming): boolean {
  return (
    before.secret_name_template !== after.secret_name_template || before.granularity !== after.granularity
  );
}

/**
 * Warns if entries of a destination would have the same name, or that of another destination's entry in its container. It
 * knows the keys that are in the ledger, and looks at the first 10,000 names.
 */
export async function collisionWarnings(
  request: ApiRequest,
  named: NamedDestination,
  destination: Named,
): Promise<string[]> {
  const wishes = await findWishes(request, named, destination);
  const clashes = [...wishes.values()].filter(({ by, isElsewhere }) => by.length > 1 || isElsewhere);
  if (clashes.length === 0) return [];
  const shown = clashes.slice(0, MOST_SHOWN).map((wish) => describe(request, wish));
  const left = clashes.length - shown.length;
  const more = left > 0 ? `; and ${left} more ${left === 1 ? 'name' : 'names'}` : '';
  return [
    `secret_name_template gives several ${nounOf(clashes, destination)} the same name in the store: ${shown.join('; ')}${more}. One keeps ${clashes.length === 1 ? 'the' : 'each'} name; the others fail until the template tells them apart${exampleOf(clashes, destination)}, or until they have a template of their own`,
  ];
}

function nounOf(clashes: Wish[], { granularity }: Named): string {
  if (clashes.some(({ isElsewhere }) => isElsewhere)) return 'entries';
  return granularity === 'secret-key' ? 'keys' : 'secrets';
}

// The path helps only where it differs and is not used yet.
function exampleOf(clashes: Wish[], { secret_name_template: template }: Named): string {
  const isPathMissing = !template.includes('.SecretPath');
  const areApart = clashes.some(({ by }) => new Set(by.map(({ secret_path: path }) => path)).size > 1);
  return isPathMissing && areApart ? ', for example with {{ .SecretPath }}' : '';
}

async function findWishes(
  { services: { db }, namespace }: ApiRequest,
  { type, key }: NamedDestination,
  destination: Named,
): Promise<Map<string, Wish>> {
  const wishes = new Map<string, Wish>();
  const pause = createPause();
  const nameOf = ({ mount, accessor, secret_path: secretPath, template }: LinkedNameSource, subKey: string) =>
    externalName({
      type,
      destination: { name: key.name, template: template ?? destination.secret_name_template },
      namespace,
      mount: { path: mount, accessor },
      secretPath,
      subKey,
    });
  let after: number | undefined = 0;
  let left = MOST_NAMES;
  while (after !== undefined && left > 0) {
    const page = await listNameSources(db, destination.id, { after, limit: PAGE });
    const fresh = new Set<string>();
    // A page of secrets with many keys has more names than one turn may make.
    const named = page.flatMap((link) => keysOf(link, destination).map((subKey) => ({ link, subKey })));
    for (const { link, subKey } of named.slice(0, left)) {
      await pause();
      const made = nameOf(link, subKey);
      if ('fault' in made) continue;
      const wish = wishes.get(made.nameKey) ?? { name: made.name, by: [], isElsewhere: false };
      wish.by.push({ ...link, subKey });
      wishes.set(made.nameKey, wish);
      fresh.add(made.nameKey);
    }
    left -= named.length;
    for (const holder of await findHolders(db, { container: destination.container }, [...fresh], null)) {
      const isOwn =
        holder.namespace_id === key.namespaceId &&
        holder.type === key.type &&
        holder.destination === key.name;
      const wish = wishes.get(holder.name_key);
      if (!isOwn && wish) wish.isElsewhere = true;
    }
    after = page.length === PAGE ? page.at(-1)?.id : undefined;
  }
  return wishes;
}

function keysOf({ sub_keys: known }: LinkedNameSource, { granularity }: Named): string[] {
  if (granularity === 'secret-key') return known.filter((one) => one !== '');
  return known.length > 0 ? [''] : [];
}

// Names the secrets that the caller may read, and counts the others.
function describe({ may }: ApiRequest, { name, by, isElsewhere }: Wish): string {
  const shown = by
    .slice(0, MOST_ASKED)
    .filter(({ mount, secret_path: path }) => may(`${mount}/data/${path}`, 'read'))
    .slice(0, MOST_SHOWN)
    .map(({ mount, secret_path: path, subKey }) => `${mount}/${path}${subKey ? ` ${subKey}` : ''}`);
  const left = by.length - shown.length;
  const all = [
    ...shown,
    ...(left > 0 ? [`${left} ${shown.length > 0 ? 'more' : 'of them'}`] : []),
    ...(isElsewhere ? ['an entry of another destination'] : []),
  ];
  const [last, ...others] = all.toReversed();
  return `${name} (${others.length > 0 ? `${others.toReversed().join(', ')} and ` : ''}${last})`;
}
