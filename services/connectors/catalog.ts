import type { Connector, Destination } from '../../libs/connector/contract.ts';
import { destination as aws } from './aws-secrets-manager/destination.ts';
import { destination as azure } from './azure-key-vault/destination.ts';
import { destination as github } from './github-secrets/destination.ts';
import { destination as google } from './google-secret-manager/destination.ts';
import { destination as vercel } from './vercel-env/destination.ts';

type Entry = { destination: Destination; load: () => Promise<{ connector: Connector }> };

// One line for each type. Loading a connector loads its vendor's SDK, which takes up to a second and hundreds of
// megabytes.
const entries: Entry[] = [
  { destination: aws, load: () => import('./aws-secrets-manager/connector.ts') },
  { destination: azure, load: () => import('./azure-key-vault/connector.ts') },
  { destination: google, load: () => import('./google-secret-manager/connector.ts') },
  { destination: vercel, load: () => import('./vercel-env/connector.ts') },
  { destination: github, load: () => import('./github-secrets/connector.ts') },
];

/** Every destination type there is. */
export const catalog: Destination[] = entries.map(({ destination }) => destination);

/** The type of that name or alias; undefined if it is unknown. */
export function findDestinationType(name: string): Destination | undefined {
  return catalog.find((candidate) => candidate.type === name || candidate.aliases.includes(name));
}

/** The type's own name if the given one is an alias; any other text comes back as it is. */
export function canonicalTypeOf(name: string): string {
  return findDestinationType(name)?.type ?? name;
}

/**
 * The connector of a type of the catalog. It loads the vendor's SDK when it opens its first session, because a worker
 * without destinations does without.
 */
export function connectorOf({ type }: Destination): Connector {
  const load = entries.find(({ destination }) => destination.type === type)?.load;
  if (!load) throw new Error(`the catalog has no type ${type}`);
  return { open: async (settings, context) => (await load()).connector.open(settings, context) };
}
