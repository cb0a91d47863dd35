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

/** A name in the store, and the entries that would have it. */
type Wish = { name: string; by: (LinkedNameSource | 'elsewhere')[] };

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
  const clashes = [...wishes.values()].filter(({ by }) => by.length > 1);
  const [first] = clashes;
  if (!first) return [];
  const shown = clashes.slice(0, MOST_SHOWN).map((wish) => describe(request, wish));
  const more = clashes.length > MOST_SHOWN ? `; and so on, for ${clashes.length} names` : '';
  return [
    `secret_name_template gives several entries one name in the store, which only one can have; the others fail with name_collision: ${shown.join('; ')}${more}. Put back what tells them apart, such as {{ .SecretPath }}, or give all but one a secret_name_template of their own`,
  ];
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
      const wish = wishes.get(made.nameKey) ?? { name: made.name, by: [] };
      wish.by.push(link);
      wishes.set(made.nameKey, wish);
      fresh.add(made.nameKey);
    }
    left -= named.length;
    for (const holder of await findHolders(db, { container: destination.container }, [...fresh], null)) {
      const isOwn =
        holder.namespace_id === key.namespaceId &&
        holder.type === key.type &&
        holder.destination === key.name;
      if (!isOwn) wishes.get(holder.name_key)?.by.push('elsewhere');
    }
    after = page.length === PAGE ? page.at(-1)?.id : undefined;
  }
  return wishes;
}

function keysOf({ sub_keys: known }: LinkedNameSource, { granularity }: Named): string[] {
  if (granularity === 'secret-key') return known.filter((one) => one !== '');
  return known.length > 0 ? [''] : [];
}

// Names the secrets that the caller may read.
function describe({ may }: ApiRequest, { name, by }: Wish): string {
  const links = by.filter((one) => one !== 'elsewhere');
  const seen = links
    .slice(0, MOST_ASKED)
    .filter(({ mount, secret_path: path }) => may(`${mount}/data/${path}`, 'read'));
  const secrets = [...new Set(seen.map(({ mount, secret_path: path }) => `${mount}/${path}`))];
  const examples = secrets.slice(0, MOST_SHOWN).join(', ');
  const others = links.length < by.length ? ', with another destination' : '';
  return `${name} (${by.length} entries${others}${examples ? `, such as of ${examples}` : ''})`;
}
