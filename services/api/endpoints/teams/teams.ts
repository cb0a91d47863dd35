import { Type } from 'typebox';
import { badRequest, notFound } from '../../../../libs/errors/request-error.ts';
import { deleteTeam, findTeam, listTeams, writeTeam } from '../../../../libs/store/access/teams.ts';
import { describeFields, describeWrite } from '../../../../libs/validation/changes.ts';
import { requireNone } from '../../../../libs/validation/preconditions.ts';
import { teamAnswer, teamsAnswer, type TeamAnswer } from '../../contract/sessions.ts';
import { endpoint, noContent, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { checkPolicies, refuseSession } from '../auth-methods/token-rules.ts';
import { names, policyNames } from '../tokens/schemas.ts';

const PATH = '/sys/teams/*path';
const PREFIX = 'sys/teams/';
const LONGEST_NAME = 256;

/** Teams of the identity provider: the policies of the people who sign in and belong to them. */
export const teamEndpoints: Endpoint[] = [
  endpoint({
    method: 'LIST',
    path: '/sys/teams',
    access: 'policy',
    summary: 'List the teams that have policies in a namespace',
    answers: { 200: { data: teamsAnswer } },
    handle: async ({ services, namespace }) => {
      const teams = await listTeams(services.db, namespace.id);
      if (teams.length === 0) throw notFound();
      return ok({
        keys: teams.map(({ name }) => name),
        key_info: Object.fromEntries(teams.map((team) => [team.name, present(team)])),
      });
    },
  }),
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'Read the policies of a team',
    answers: { 200: { data: teamAnswer } },
    handle: async (request) => {
      const team = await find(request);
      if (!team) throw notFound();
      return ok(present(team));
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    alsoMethods: ['PUT'],
    access: 'policy',
    summary: 'Say which policies the members of a team get when they sign in',
    answers: { 204: {} },
    takesIfNoneMatch: true,
    body: Type.Object({ policies: names('The policies, instead of the former ones.') }),
    exists: async (request) => (await find(request)) !== undefined,
    asked: ({ body }) => describeFields(body),
    handle: async (request) => {
      refuseSession(request);
      const { services, namespace, caller, body, note } = request;
      const name = nameOf(request);
      const policies = policyNames(body.policies);
      if (name.length > LONGEST_NAME)
        throw badRequest(`a team has a name of at most ${LONGEST_NAME} characters`);
      if (policies.length === 0)
        throw badRequest('policies is missing: name at least one, or delete the team');
      checkPolicies(request, policies);
      const team = { name, policies, author: caller.token.display_name };
      const former = await writeTeam(services.db, namespace.id, team, (isThere) =>
        requireNone(request.header('if-none-match'), isThere, `the team ${name}`),
      );
      note({ team: name, ...describeWrite(former && { policies: former }, { policies }) });
      return noContent();
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Delete a team; who is signed in keeps its policies until the session ends',
    answers: { 204: {} },
    handle: async (request) => {
      const former = await deleteTeam(request.services.db, request.namespace.id, nameOf(request));
      request.note({ team: nameOf(request), change: former ? 'deleted' : 'none', former });
      return noContent();
    },
  }),
];

type Named = Pick<ApiRequest, 'services' | 'namespace' | 'path'>;

function nameOf({ path }: Pick<ApiRequest, 'path'>): string {
  return path.slice(PREFIX.length);
}

function find(request: Named) {
  return findTeam(request.services.db, request.namespace.id, nameOf(request));
}

function present({
  policies,
  updated_at,
  changed_by,
}: Awaited<ReturnType<typeof listTeams>>[number]): TeamAnswer {
  return { policies, changed_at: updated_at.toISOString(), changed_by };
}
