import { badRequest, notFound } from '../../../libs/errors/request-error.ts';
import type { Destination } from '../../../libs/connector/contract.ts';
import {
  lookUpDestination,
  type DestinationKey,
  type DestinationRow,
} from '../../../libs/store/destinations/destinations.ts';
import { isPurging } from '../../../libs/store/destinations/purges.ts';
import { catalog, findDestinationType } from '../../connectors/catalog.ts';
import { etagOf } from '../../../libs/validation/preconditions.ts';
import { presentDestination } from '../presenters/destination.ts';
import { unknownParameters } from '../routing/unknown-parameters.ts';
import type { ApiRequest } from '../routing/endpoint.ts';

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** The destination that a path names; `spelling` is its type as the caller spelled it, which may be an alias. */
export type NamedDestination = { type: Destination; spelling: string; key: DestinationKey };

/** Undefined for an unknown type. */
export function findNamed({ params, namespace }: ApiRequest): NamedDestination | undefined {
  const spelling = params['type'] ?? '';
  const type = findDestinationType(spelling);
  const key = { namespaceId: namespace.id, type: type?.type ?? '', name: params['name'] ?? '' };
  return type && { type, spelling, key };
}

/** The same for a call that writes the destination. Throws 400, with the known types or with the rule for names. */
export function requireNamed(request: ApiRequest): NamedDestination {
  const named = findNamed(request);
  if (!named) {
    const known = catalog.map(({ type }) => type).join(', ');
    throw badRequest(`unknown destination type ${request.params['type'] ?? ''}; the types are ${known}`);
  }
  if (!NAME.test(named.key.name)) {
    throw badRequest('the name of a destination must have 1 to 128 letters, digits, "_", "." or "-"');
  }
  return named;
}

/** The stored destination of a path. Throws 404 if there is none. */
export async function requireDestination(
  request: ApiRequest,
): Promise<NamedDestination & { row: DestinationRow }> {
  const named = findNamed(request);
  const row = named && (await lookUpDestination(request.services.db, named.key));
  if (!named || !row) throw noDestination(request);
  return { ...named, row };
}

/** The name of a destination in messages. */
export function nameOf({ spelling, key }: NamedDestination): string {
  return `the destination ${spelling}/${key.name}`;
}

/** The answer of the calls that show one destination; `If-Match` takes its ETag. */
export function answerDestination(row: DestinationRow, { type, spelling }: NamedDestination) {
  return { status: 200, data: presentDestination(row, type, spelling), headers: { ETag: etagOf(row) } };
}

/** The refusal of a call about a destination that does not exist. */
export function noDestination({ params }: ApiRequest): Error {
  return notFound(`there is no destination ${params['type'] ?? ''}/${params['name'] ?? ''}`);
}

/** Throws 400 for a destination that is being purged. */
export function refuseWhilePurging(row: DestinationRow): void {
  if (!isPurging(row)) return;
  const since = row.purge_initiated_at?.toISOString() ?? '';
  throw badRequest(`the destination is being purged since ${since}: wait until it is deleted`);
}

/** Warns about body keys that no schema has, in the words that clients know. */
export function warnOfUnknown(request: ApiRequest, keys: string[]): void {
  if (keys.length === 0) return;
  request.warn(unknownParameters(keys));
}

/** The same for a destination, and what its type warns of. */
export function warnOf(
  request: ApiRequest,
  { unknown, warnings }: { unknown: string[]; warnings: string[] },
): void {
  warnOfUnknown(request, unknown);
  for (const warning of warnings) request.warn(warning);
}
