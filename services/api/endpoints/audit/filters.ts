import { Type, type Static } from 'typebox';
import { badRequest, parameterProblem, unprocessable } from '../../../../libs/errors/request-error.ts';
import type { AuditOutcome } from '../../../../libs/store/audit/events.ts';
import type { AuditFilters } from '../../../../libs/store/audit/list.ts';
import { catalog, canonicalTypeOf } from '../../../connectors/catalog.ts';
import { plainSpelling } from '../../audit/told-path.ts';
import { readAddress } from '../../access/client-address.ts';
import { textFilter } from '../policy-engine-versions/paging.ts';
import { kindFilters, type ActionKinds, type EntryKind } from './kinds.ts';

// Only times that Postgres can read: it has no year 0 and no offset of 16 hours.
const READABLE_TIME = /^(?!0000).{10}[Tt ].{8}(\.\d{1,9})?([Zz]|[+-](0\d|1[0-5])(:?[0-5]\d)?)$/;

const OUTCOMES: AuditOutcome[] = ['attempted', 'succeeded', 'refused', 'failed'];

// A `+` in a query is a space.
/** What a time that cannot be read must be. */
export const TIME_FAULT =
  'must be a time such as 2026-01-02T03:04:05Z or 2026-01-02T03:04:05%2B02:00, from the year 1 on: in a query, + is written %2B';

const METHODS = new Set(['GET', 'HEAD', 'LIST', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

type Span = { since?: string | undefined; until?: string | undefined };

/** Throws 400 unless the given times can be read, see `isReadableTime`, and are in order. */
export function requireSpan(span: Span): void {
  if (Object.values(span).some((given) => given !== undefined && !isReadableTime(given)))
    throw badRequest(`since and until ${TIME_FAULT}`);
  if (isReversed(span)) throw badRequest(`until ${ORDER_FAULT}`);
}

const ORDER_FAULT = 'must not be before since';

function isReversed({ since, until }: Span): boolean {
  return since !== undefined && until !== undefined && Date.parse(since) > Date.parse(until);
}

/** A time in a query; see `isReadableTime`. */
export const timeFilter = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', errorMessage: TIME_FAULT, description }));

/** How an entry ended, in a query. */
export const outcomeFilter = (
  description = `${OUTCOMES.join(', ')}. \`refused\` also finds a request about many secrets of which some were refused.`,
) => Type.Optional(Type.Unsafe<AuditOutcome>({ type: 'string', enum: OUTCOMES, description }));

/** Reads of values or the rest, in a query; the rest is described. */
export const kindFilter = (change: string) =>
  Type.Optional(
    Type.Unsafe<EntryKind>({
      type: 'string',
      enum: ['read', 'change'],
      description: `\`read\`: reads of values of secrets. ${change}`,
    }),
  );

/** Whether Postgres can read a time that has the format. */
export const isReadableTime = (time: string): boolean => READABLE_TIME.test(time);

/** Query parameters that select entries of the audit trail. */
export const auditFilterSchema = {
  'filter[who]': textFilter(
    'A part of the name of a person or a token, in any case: `ana` finds ana@example.com and token-ana.',
  ),
  'filter[user]': textFilter('The person who logged in by single sign-on.'),
  'filter[actor]': textFilter('Display name of the token.'),
  'filter[accessor]': textFilter('Accessor of the token that was used.'),
  'filter[address]': textFilter('IP address of the client, in any spelling.'),
  'filter[namespace]': textFilter('Path of the namespace. Empty: the root namespace.'),
  'filter[token]': textFilter(
    'Accessor of a token: what was done with it, and what was done to it, such as making or revoking it.',
  ),
  'filter[action]': textFilter(
    'Method and route of the request, or name of the job. Each alias finds the entries of all.',
  ),
  'filter[without-action]': textFilter('Actions to leave out, separated by commas.'),
  'filter[kind]': kindFilter('`change`: everything that could change something.'),
  'filter[destination]': textFilter(
    'What was done to a destination or its links: type and name, such as `cloud1-sm/prod`, or only its name.',
  ),
  'filter[path]': textFilter('Start of the path. Each alias of a path finds the entries of all.'),
  'filter[secret]': textFilter('Mount and path of the secret, such as `secret/app/db`.'),
  'filter[outcome]': outcomeFilter(),
  'filter[request-id]': textFilter('Id of the request.'),
  'filter[since]': timeFilter('Only events at or after this time.'),
  'filter[until]': timeFilter('Only events before this time.'),
};

const schema = Type.Object(auditFilterSchema);

/** The filters of a checked query, in the spelling of the trail. Throws 422 for what no entry can have. */
export function auditFiltersOf(query: Static<typeof schema>, actions: ActionKinds): AuditFilters {
  const { 'filter[since]': since, 'filter[until]': until } = query;
  const problems = Object.entries({ 'filter[since]': since, 'filter[until]': until })
    .filter(([, given]) => given !== undefined && !isReadableTime(given))
    .map(([name]) => parameterProblem(name, TIME_FAULT));
  if (isReversed({ since, until })) problems.push(parameterProblem('filter[until]', ORDER_FAULT));
  const empty = Object.entries(query).filter(
    ([name, given]) => name.startsWith('filter[') && name !== 'filter[namespace]' && given === '',
  );
  problems.push(...empty.map(([name]) => parameterProblem(name, 'must not be empty: leave it out')));
  const given = query['filter[address]'];
  const address = given && readAddress(given);
  if (given && !address) problems.push(parameterProblem('filter[address]', 'must be an IP address'));
  const secret = query['filter[secret]'] && plainPath(query['filter[secret]']);
  if (secret !== undefined && secret !== '' && !secret.includes('/'))
    problems.push(parameterProblem('filter[secret]', 'must be mount and path, such as secret/app/db'));
  if (problems.length > 0) throw unprocessable(...problems);
  return {
    who: query['filter[who]'],
    user: query['filter[user]'],
    actor: query['filter[actor]'],
    accessor: query['filter[accessor]'],
    token: query['filter[token]'],
    address: address ?? undefined,
    namespace: query['filter[namespace]'] === undefined ? undefined : plainPath(query['filter[namespace]']),
    action: query['filter[action]'] ? actions.like(plainAction(query['filter[action]'])) : undefined,
    ...kindFiltersOf(query, actions),
    destination: query['filter[destination]'] ? destinationPathsOf(query['filter[destination]']) : undefined,
    path: query['filter[path]'] ? spellingsOf(query['filter[path]']) : undefined,
    secret,
    outcome: query['filter[outcome]'],
    requestId: query['filter[request-id]'],
    since,
    until,
  };
}

function kindFiltersOf(
  query: Static<typeof schema>,
  actions: ActionKinds,
): Pick<AuditFilters, 'among' | 'withoutAction'> {
  const { among, withoutAction = [] } = kindFilters(query['filter[kind]'], actions);
  const unwanted = query['filter[without-action]']
    ?.split(',')
    .flatMap((action) => actions.like(plainAction(action.trim())));
  const without = [...withoutAction, ...(unwanted ?? [])];
  return { among, withoutAction: without.length > 0 ? without : undefined };
}

// A name alone may be that of a destination of any type. Entries of earlier versions have the type as the request spelled it.
function destinationPathsOf(text: string): string[] {
  const [first = '', second] = plainPath(text).split('/');
  const types = second === undefined ? catalog.map(({ type }) => type) : [first, canonicalTypeOf(first)];
  return [...new Set(types)].map((type) => `sys/sync/destinations/${type}/${second ?? first}`);
}

// Entries of earlier versions have the path as the request spelled it.
function spellingsOf(path: string): string[] {
  return [...new Set([path, plainSpelling(path)])];
}

function plainPath(path: string): string {
  return path.split('/').filter(Boolean).join('/');
}

// A method in capitals; other actions begin with a small letter.
function plainAction(action: string): string {
  const [, method, rest = ''] = /^([a-z]+)( \/.*)?$/i.exec(action) ?? [];
  if (method === undefined) return action;
  const isMethod = rest !== '' || METHODS.has(method.toUpperCase());
  return (isMethod ? method.toUpperCase() : method.toLowerCase()) + rest;
}
