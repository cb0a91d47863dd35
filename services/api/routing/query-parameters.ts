import type { ParsedUrlQuery } from 'node:querystring';
import type { Fault } from '../../../libs/validation/validator.ts';
import { parameterProblem, RequestError } from '../../../libs/errors/request-error.ts';
import type { Dialect } from './dialects/dialect.ts';
import type { Endpoint } from './endpoint.ts';
import { unknownParameters } from './unknown-parameters.ts';

// Clients of similar services send these with any call.
const TAKEN_ANYWHERE = new Set(['list', 'help']);

// A query can have hundreds of them, and a refusal is for a person.
const MOST_FAULTS = 20;
const LONGEST_NAME = 100;

/**
 * Checks the names of the query parameters of a call, and returns warnings. Throws 400, naming the unknown parameters and
 * the known ones, where a parameter that has no effect would change what the call means: everywhere in site
 * administration, in lists and other calls that take parameters, and for every `name[…]`. A list that passes over a
 * filter would answer with everything. Other calls of the secrets dialect only warn, because their clients send
 * parameters that are meant for other services.
 */
export function createQueryCheck(
  row: Pick<Endpoint, 'method' | 'path' | 'access' | 'query'>,
  dialect: Pick<Dialect, 'weak'>,
): (query: ParsedUrlQuery) => string[] {
  if (row.access === 'public') return () => [];
  const known = row.query && 'properties' in row.query ? Object.keys(row.query.properties as object) : [];
  const isOfMount = row.path.startsWith('/~kv');
  const isStrict = !dialect.weak || row.method === 'LIST' || (known.length > 0 && !isOfMount);
  const isKnown = new Set([...known, ...(dialect.weak ? TAKEN_ANYWHERE : [])]);
  return (query) => {
    const unknown = Object.keys(query).filter((name) => !isKnown.has(name));
    const refused = isStrict ? unknown : unknown.filter((name) => name.includes('['));
    if (refused.length > 0) throw unknownParameter(refused, known);
    return unknown.length > 0 ? [unknownParameters(unknown)] : [];
  };
}

/** The faults of parameters that a call gives several times, though they have one value. */
export function repeatedParameters(
  { query: schema }: Pick<Endpoint, 'query'>,
  query: ParsedUrlQuery,
): Fault[] {
  const properties = (schema && 'properties' in schema ? schema.properties : {}) as Record<string, object>;
  return Object.entries(properties)
    .filter(([name, property]) => Array.isArray(query[name]) && !JSON.stringify(property).includes('"array"'))
    .map(([name]) => ({ pointer: `/${name}`, message: 'is given more than once: give one' }));
}

function unknownParameter(names: string[], known: string[]): RequestError {
  const advice = known.length === 0 ? 'this call takes no parameters' : `known are ${known.join(', ')}`;
  const problems = names
    .slice(0, MOST_FAULTS)
    .map((name) => parameterProblem(name.slice(0, LONGEST_NAME), `is unknown: ${advice}`));
  return new RequestError('unknown_parameter', problems);
}
