import type { Destination } from '../../libs/connector/contract.ts';
import { destination as cloud1Sm } from './cloud1-sm/destination.ts';
import { destination as cloud2Kv } from './cloud2-kv/destination.ts';
import { destination as cloud3Sm } from './cloud3-sm/destination.ts';
import { destination as hostingProject } from './hosting-project/destination.ts';
import { destination as repoHost } from './repo-host/destination.ts';

/** Every destination type there is, one line each. */
export const catalog: Destination[] = [cloud1Sm, cloud2Kv, cloud3Sm, hostingProject, repoHost];

/** By its name or one of its aliases; undefined for an unknown one. */
export function findDestinationType(name: string): Destination | undefined {
  return catalog.find((candidate) => candidate.type === name || candidate.aliases.includes(name));
}

/** The type's own name where the given one is an alias; any other text comes back as it is. */
export function canonicalTypeOf(name: string): string {
  return findDestinationType(name)?.type ?? name;
}
