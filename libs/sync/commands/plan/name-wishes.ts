import type { PlanRequest } from '../../../commands/connector-commands.ts';
import { externalName } from '../../../connector/names.ts';
import { listNameSources, type LinkedNameSource } from '../../../store/associations/name-sources.ts';
import { createPause } from '../../../time/slices.ts';
import type { Engine } from '../../engine.ts';

// A plan has seconds, and making so many names takes less than one.
const MOST_NAMES = 10_000;
const PAGE = 1000;

/** A link that wants a name, and the secret that it is of. */
export type WishingLink = { id: number; mount: string; path: string };

/**
 * The links that want a name, by the form in which the store compares names, in order; the secrets of all links whose names
 * are known; and which of them want which name. Secrets are as in `keyOfSecret`.
 */
export type NameWishes = { byName: Map<string, WishingLink[]>; secrets: Set<string>; wanted: Set<string> };

export const NO_WISHES: NameWishes = { byName: new Map(), secrets: new Set(), wanted: new Set() };

/** A secret by its mount and path. */
export function keyOfSecret({ mount, path }: { mount: string; path: string }): string {
  return JSON.stringify([mount, path]);
}

/** That a secret wants a name, as a key. */
export function wishOf(secret: string, name: string): string {
  return `${name} ${secret}`;
}

/** Which links of the planned destination want which names, by the keys that the ledger knows, in order of the links. */
export async function findWishes(
  { destination, namespace }: PlanRequest,
  { context, destination: type }: Engine,
): Promise<NameWishes> {
  const wishes: NameWishes = { byName: new Map(), secrets: new Set(), wanted: new Set() };
  const pause = createPause();
  let after: number | undefined = 0;
  let left = MOST_NAMES;
  while (after !== undefined && left > 0) {
    const page = await listNameSources(context.db, destination.id, { after, limit: PAGE });
    for (const { id, mount, accessor, secret_path: path, template, sub_keys: known } of page) {
      const wisher = { id, mount, path };
      const secret = keyOfSecret(wisher);
      wishes.secrets.add(secret);
      for (const subKey of keysOf(known, destination)) {
        left -= 1;
        await pause();
        const made = externalName({
          type,
          destination: { name: destination.name, template: template ?? destination.template },
          namespace,
          mount: { path: mount, accessor },
          secretPath: path,
          subKey,
        });
        if ('fault' in made) continue;
        const wishers = wishes.byName.get(made.nameKey) ?? [];
        wishers.push(wisher);
        wishes.wanted.add(wishOf(secret, made.nameKey));
        wishes.byName.set(made.nameKey, wishers);
      }
    }
    after = page.length === PAGE ? page.at(-1)?.id : undefined;
  }
  return wishes;
}

function keysOf(known: LinkedNameSource['sub_keys'], { granularity }: PlanRequest['destination']): string[] {
  if (granularity === 'secret-key') return known.filter((one) => one !== '');
  return known.length > 0 ? [''] : [];
}
