import type { Discarding } from '../contract.ts';
import {
  startFake,
  type CallContext,
  type Fake,
  type FakeOptions,
  type FakeReply,
  type FakeRequest,
} from '../fake-server.ts';
import { createVariables, readBody } from './create.ts';
import { findRoute, WRITES, type Route } from './paths.ts';
import * as replies from './replies.ts';
import { createStore, type Project, type Store } from './store.ts';
import { createTokens, mayDo, maySee, type Grant } from './tokens.ts';
import { editVariable, listVariables, readVariable, removeVariable } from './variables.ts';

/** What tests can do to this store beyond the common interface. */
export type HostingProjectFake = Fake &
  Discarding &
  Pick<Store, 'removeProject' | 'enforceSensitive'> & {
    restrictToken: (token: string, grant: Grant) => void;
    /** Changes a row like a person at the dashboard. */
    change: (
      id: string,
      change: { target?: string[]; key?: string; value?: string; comment?: string },
    ) => void;
    /** Deletes a row like a person at the dashboard. */
    drop: (id: string) => void;
  };

/**
 * Vercel's REST API for the variables of projects. Own fault: `forbidden`. With `pageSize` it returns the list in pages.
 */
export async function startHostingProjectFake(
  options: FakeOptions & { pageSize?: number } = {},
): Promise<HostingProjectFake> {
  const store = createStore();
  const tokens = createTokens();

  function answer(request: FakeRequest, call: CallContext): FakeReply {
    const route = findRoute(request);
    const grant = tokens.read(request, call.isAccepted);
    if (!grant) return replies.invalidToken();
    if (route.operation === 'unknown') return replies.noSuchEndpoint();
    if (!store.hasTeam(route.team) || (grant.teams && !grant.teams.includes(route.team)))
      return replies.otherTeam(route.team || 'the-account');
    const project = maySee(route, grant) ? store.find(route.team, route.project) : undefined;
    if (!project) return replies.projectNotFound();
    if (call.takeFault('forbidden') || !mayDo(route, grant)) return replies.forbidden();
    return answerProject(request, route, { project, grant, call });
  }

  function answerProject(
    request: FakeRequest,
    { operation, variable }: Route,
    { project, grant, call }: { project: Project; grant: Grant; call: CallContext },
  ): FakeReply {
    const id = variable ?? '';
    const stale = ['listEnv', 'getEnv'].includes(operation) && call.takeFault('stale-read') !== undefined;
    switch (operation) {
      case 'getProject':
        return { status: 200, body: { id: project.id, name: project.id.slice(4), accountId: project.team } };
      case 'listEnv':
        return listVariables(project, request, {
          ...(options.pageSize === undefined ? {} : { pageSize: options.pageSize }),
          isProductionHidden: grant.hidesProduction ?? false,
          stale,
        });
      case 'getEnv':
        return readVariable(project, id, stale);
      case 'editEnv':
        return editVariable(store, project, id, request);
      case 'removeEnv':
        return removeVariable(project, id);
      default:
        return createVariables(store, project, request, operation === 'upsertEnv');
    }
  }

  const fake = await startFake(
    {
      type: 'hosting-project',
      identify: (request) => identify(store, request),
      handle: (request, call) => replies.withRequestId(answer(request, call)),
      refuse: (refusal) => replies.withRequestId(replies.writeRefusal(refusal)),
      isWrite: (operation) => WRITES.has(operation),
      entries: store.entries,
      plant: (entry) => void store.plant(entry),
      reset() {
        store.reset();
        tokens.reset();
      },
    },
    options,
  );
  return {
    ...fake,
    removeProject: store.removeProject,
    enforceSensitive: store.enforceSensitive,
    restrictToken: tokens.restrict,
    change: store.change,
    drop: store.drop,
    discard(name) {
      for (const entry of store.entries()) if (entry.name === name) store.drop(String(entry['id']));
    },
  };
}

// The row's key, if the call is about one row; null for a list.
function identify(store: Store, request: FakeRequest): { operation: string; target: string | null } {
  const { operation, variable } = findRoute(request);
  if (variable !== null) return { operation, target: store.keyOf(variable) };
  const rows = [readBody(request)].flat().filter((row) => typeof row === 'object' && row !== null);
  const [only] = rows as { key?: unknown }[];
  return { operation, target: rows.length === 1 && typeof only?.key === 'string' ? only.key : null };
}
