import { Type, type Static } from 'typebox';
import {
  findGoneWithIncidents,
  listIncidents,
  type Incident,
} from '../../../../libs/store/incidents/list.ts';
import { lookUpDestination } from '../../../../libs/store/destinations/destinations.ts';
import { listIncidentTellings, type IncidentTelling } from '../../../../libs/store/incidents/told.ts';
import { incidentsAnswer, type IncidentAnswer } from '../../contract/summary.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { requireSpan, timeFilter } from '../audit/filters.ts';
import { findNamed, noDestination } from '../named-destination.ts';

const DEFAULT_LIMIT = 100;

const query = Type.Object({
  since: timeFilter('Only incidents that were open at this time, or began later.'),
  until: timeFilter('Only incidents that began before this time.'),
  cause: Type.Optional(Type.String({ maxLength: 200, description: 'Only incidents with this cause code.' })),
  open: Type.Optional(
    Type.Boolean({ description: 'Only those that are open, or only those that are closed.' }),
  ),
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '`next_after` of the previous page.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      description: `Maximum number of incidents. Default ${DEFAULT_LIMIT}.`,
    }),
  ),
});

/** What failed, from when until when, and how it ended. */
export const incidentEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/sys/sync/incidents',
    access: 'policy',
    summary:
      'List incidents, the latest first: one cause at one destination, from its first failure until it healed',
    query,
    answers: { 200: { data: incidentsAnswer } },
    handle: async (request) => ok(await answer(request)),
  }),
  endpoint({
    method: 'GET',
    path: '/sys/sync/destinations/:type/:name/incidents',
    access: 'policy',
    summary: 'List the incidents of a destination, the latest first, also after it was deleted',
    query,
    answers: { 200: { data: incidentsAnswer } },
    handle: async (request) => ok(await answer(request, await findIds(request))),
  }),
];

// Of a name that is used again, those that had it before are not meant.
async function findIds(request: ApiRequest): Promise<number[]> {
  const { db } = request.services;
  const named = findNamed(request);
  const row = named && (await lookUpDestination(db, named.key));
  if (row) return [row.id];
  const gone = named ? await findGoneWithIncidents(db, named.key) : [];
  if (gone.length === 0) throw noDestination(request);
  return gone;
}

async function answer(request: ApiRequest<unknown, Static<typeof query>>, destinationIds?: number[]) {
  const { services, namespace } = request;
  const { since, until, cause, open, after, limit = DEFAULT_LIMIT } = request.query;
  requireSpan({ since, until });
  const incidents = await listIncidents(
    services.db,
    {
      namespaceId: namespace.id,
      destinationIds,
      code: cause,
      isOpen: open,
      since,
      until,
    },
    { after, limit },
  );
  const tellings = await readTellings(request, incidents);
  return {
    incidents: incidents.map((incident) => present(incident, toldOf(incident, tellings, namespace.id))),
    next_after: incidents.length < limit ? null : (incidents.at(-1)?.id ?? null),
  };
}

async function readTellings(
  { services, namespace }: ApiRequest,
  incidents: Incident[],
): Promise<IncidentTelling[]> {
  if (incidents.length === 0) return [];
  const since = new Date(Math.min(...incidents.map((one) => (one.failing_after ?? one.opened_at).getTime())));
  return listIncidentTellings(services.db, { namespace: namespace.path, since });
}

// The names of rules of another namespace are its own.
function toldOf(
  incident: Incident,
  tellings: IncidentTelling[],
  namespaceId: string,
): IncidentAnswer['told'] {
  const { type, name, cause, opened_at: opened, closed_at: closed } = incident;
  const here = tellings.filter((one) => one.type === type && one.name === name);
  const own = here.filter(
    (one) =>
      (one.codes.includes(cause.code) || !one.isWhole) &&
      one.happenedAt >= opened &&
      (closed === null || one.happenedAt <= closed),
  );
  const rules = new Set(own.map(({ rule }) => rule));
  const before = here.filter((one) => !rules.has(one.rule) && isOfRun(incident, one));
  const presentTelling = (one: IncidentTelling, earlier: boolean) => ({
    rule: one.ruleNamespaceId === namespaceId ? one.rule : null,
    deleted: one.isDeleted,
    at: one.deliveredAt,
    earlier,
  });
  // The first one of each rule: a rule may have sent very many about other links meanwhile.
  const first = new Map(before.map((one) => [one.rule, one]));
  return [
    ...own.map((one) => presentTelling(one, false)),
    ...[...first.values()].map((one) => presentTelling(one, true)),
  ];
}

// A rule tells once that a link fails, whatever causes follow until it no longer does.
function isOfRun(
  { mount, secret_path: path, opened_at: opened, failing_after: after }: Incident,
  { secrets, isWhole, happenedAt }: IncidentTelling,
): boolean {
  if (after === null || happenedAt < after || happenedAt >= opened) return false;
  return !isWhole || secrets.includes(`${mount}/${path}`);
}

function present(
  { type, name, deleted, mount, secret_path: path, ...incident }: Incident,
  tellings: IncidentAnswer['told'],
): IncidentAnswer {
  return {
    id: incident.id,
    destination: type === null || name === null ? null : { type, name, deleted },
    cause: incident.cause,
    opened_at: incident.opened_at,
    changed_at: incident.changed_at,
    closed_at: incident.closed_at,
    associations: incident.associations,
    most: incident.most,
    example: mount === null || path === null ? null : { mount, secret_name: path },
    ended: incident.ended,
    ended_by: incident.ended_by,
    ended_after: incident.ended_after,
    told: tellings,
  };
}
