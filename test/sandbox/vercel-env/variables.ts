import { readJson, type FakeReply, type FakeRequest } from '../fake-server.ts';
import { conflict, fault, present, variableNotFound } from './replies.ts';
import { checkContent, malformed, readTargets } from './rules.ts';
import { findOverlap, readStale, remember, type Project, type Store } from './store.ts';

export type Listing = { pageSize?: number; isProductionHidden: boolean; stale: boolean };

/** All rows without their values; in pages only if the sandbox was started with a page size. */
export function listVariables(project: Project, request: FakeRequest, listing: Listing): FakeReply {
  const all = [...(listing.stale ? readStale(project) : project.variables)].reverse();
  const isHidden = (target: string[]) => listing.isProductionHidden && target.includes('production');
  const seen = all.filter(({ target }) => !isHidden(target));
  const until = Number(request.query.get('until') ?? Infinity);
  const left = seen.filter(({ createdAt }) => createdAt < until);
  const page = left.slice(0, listing.pageSize);
  const envs = page.map((variable) => present(variable, false));
  if (listing.isProductionHidden)
    return { status: 200, body: { envs, hiddenProductionEnvCount: all.length - seen.length } };
  const next = page.length < left.length ? (page.at(-1)?.createdAt ?? null) : null;
  return { status: 200, body: { envs, pagination: { count: page.length, next, prev: null } } };
}

/** One row with its value, unless it is sensitive. */
export function readVariable(project: Project, id: string, stale: boolean): FakeReply {
  const variable = (stale ? readStale(project) : project.variables).find((one) => one.id === id);
  return variable ? { status: 200, body: present(variable, true) } : variableNotFound(id);
}

/** Changes only the fields in the body. */
export function editVariable(store: Store, project: Project, id: string, request: FakeRequest): FakeReply {
  const variable = project.variables.find((one) => one.id === id);
  if (!variable) return variableNotFound(id);
  const { key, value, type, target, comment, customEnvironmentIds } = readJson(request);
  if (variable.type === 'sensitive' && (key !== undefined || (type !== undefined && type !== 'sensitive')))
    return fault(
      400,
      'BAD_REQUEST',
      'You cannot change the key or the type of a Sensitive Environment Variable.',
    );
  const targets = target === undefined ? variable.target : readTargets(target);
  if (!targets) return fault(400, 'bad_request', malformed('`target` is wrong').message);
  const changed = {
    ...variable,
    ...(typeof key === 'string' ? { key } : {}),
    ...(typeof value === 'string' ? { value } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof comment === 'string' ? { comment } : {}),
    ...(Array.isArray(customEnvironmentIds)
      ? { customEnvironmentIds: customEnvironmentIds as string[] }
      : {}),
    target: targets,
  };
  if (changed.target.length + changed.customEnvironmentIds.length === 0)
    return fault(400, 'bad_request', '`target` should have at least 1 item.');
  const refusal = checkContent(changed);
  if (refusal) return fault(400, refusal.code, refusal.message);
  if (findOverlap(project, changed, id)) return { status: 400, body: { error: conflict(changed) } };
  project.before = new Map();
  remember(project, id, variable);
  Object.assign(variable, changed, { updatedAt: store.now(), writes: variable.writes + 1 });
  return { status: 200, body: present(variable, false) };
}

/** Deletes a row and returns it, or 404. */
export function removeVariable(project: Project, id: string): FakeReply {
  const variable = project.variables.find((one) => one.id === id);
  if (!variable) return variableNotFound(id);
  project.before = new Map();
  remember(project, id, variable);
  project.variables = project.variables.filter((one) => one !== variable);
  return { status: 200, body: present(variable, false) };
}
