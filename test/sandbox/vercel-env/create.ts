import type { FakeReply, FakeRequest } from '../fake-server.ts';
import { conflict, fault, present } from './replies.ts';
import { checkContent, isFault, readContent, type Fault } from './rules.ts';
import {
  createVariable,
  findOverlap,
  isSamePlace,
  remember,
  type Content,
  type Project,
  type Store,
  type Variable,
} from './store.ts';

const MOST_VARIABLES = 1000;

/**
 * Creates one row (an object) or several (a list). Several are accepted one by one, and the reply lists the refused ones.
 * A malformed row makes the whole call fail.
 */
export function createVariables(
  store: Store,
  project: Project,
  request: FakeRequest,
  upsert: boolean,
): FakeReply {
  const body = readBody(request);
  const contents = [body].flat().map(readContent);
  const malformed = contents.find((content) => isFault(content));
  if (malformed || contents.length === 0) return fault(400, 'bad_request', malformed?.message ?? 'Empty');
  project.before = new Map();
  const created: object[] = [];
  const failed: object[] = [];
  for (const content of contents as Content[]) {
    const result = writeContent(store, project, store.underPolicy(content), upsert);
    if (isFault(result)) failed.push({ error: { ...result, key: content.key } });
    else created.push(present(result, false));
  }
  if (Array.isArray(body)) return { status: 201, body: { created, failed } };
  const [refusal] = failed as { error: Fault }[];
  if (refusal) return { status: 400, body: refusal };
  return { status: 201, body: { created: created[0], failed: [] } };
}

function writeContent(store: Store, project: Project, content: Content, upsert: boolean): Variable | Fault {
  const refusal = checkContent(content);
  if (refusal) return refusal;
  const other = findOverlap(project, content);
  if (!other) {
    if (project.variables.length >= MOST_VARIABLES) return { code: 'TOO_MANY_ENVS', message: 'Too many' };
    const variable = createVariable(store.now(), content);
    remember(project, variable.id, null);
    project.variables.push(variable);
    return variable;
  }
  // Two rows are the same variable only if their sets of environments are equal.
  if (!upsert || !isSamePlace(other, content)) return conflict(content);
  if (other.type === 'sensitive' && content.type !== 'sensitive')
    return {
      code: 'BAD_REQUEST',
      message: 'The type of a Sensitive Environment Variable cannot be changed.',
    };
  remember(project, other.id, other);
  Object.assign(other, content, { updatedAt: store.now(), writes: other.writes + 1 });
  return other;
}

/** The parsed body, which may be a list; null if it is invalid. */
export function readBody(request: FakeRequest): unknown {
  try {
    return JSON.parse(request.body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
