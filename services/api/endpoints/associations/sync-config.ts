import { Type } from 'typebox';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import {
  lockSyncConfig,
  readSyncConfig,
  readWholePause,
  writeSyncConfig,
  type SyncConfig,
} from '../../../../libs/store/associations/sync-config.ts';
import { describeChanges } from '../../../../libs/validation/changes.ts';
import { mergePatch } from '../../../../libs/validation/merge-patch.ts';
import { createValidator } from '../../../../libs/validation/validator.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { readObject } from '../../routing/read-object.ts';
import { secretsDialect } from '../../routing/dialects/secrets.ts';
import { warnOfUnknown } from '../named-destination.ts';
import { pauseAnswer, wasPaused } from '../../contract/pause.ts';
import { closed, nullable } from '../../contract/schema.ts';
import { presentPause } from '../../presenters/destination.ts';
import { endOfPause, pauseReason, pauseUntil, givenReason, requireUnpaused } from '../pause-reason.ts';

const PATH = '/sys/sync/config';

const schema = Type.Object({
  disabled: Type.Boolean({
    default: false,
    description: 'True: nothing is sent to external stores; new work waits.',
  }),
  queue_capacity: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    default: 1_000_000,
    description:
      'Maximum number of associations that may wait while syncing is disabled. Above it, new ones are refused.',
  }),
});

const syncConfigAnswer = closed({ disabled: Type.Boolean(), queue_capacity: Type.Integer() });

const wholePauseAnswer = closed({
  ...syncConfigAnswer.properties,
  paused: nullable(pauseAnswer),
  was_paused: wasPaused,
});

const check = createValidator(schema, { weak: true, defaults: true });

/** The sync configuration of the whole installation. */
export const syncConfigEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'policy',
    summary: 'Read the sync configuration',
    answers: { 200: { data: syncConfigAnswer } },
    handle: async (request) => {
      requireRoot(request);
      return ok(await readSyncConfig(request.services.db));
    },
  }),
  endpoint({
    method: 'PATCH',
    path: PATH,
    access: 'policy',
    summary: 'Change the sync configuration; null sets the default',
    answers: { 200: { data: syncConfigAnswer } },
    describedBody: Type.Partial(schema),
    handle: async (request) => {
      requireRoot(request);
      const patch = readObject(request.rawBody);
      return ok((await change(request, (present) => mergePatch(present, patch))).after);
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'policy',
    summary: 'Reset the sync configuration to its defaults',
    answers: { 200: { data: syncConfigAnswer } },
    handle: async (request) => {
      requireRoot(request);
      return ok((await change(request, () => ({}))).after);
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/sync/pause',
    access: 'policy',
    summary: 'Pause syncing as a whole: the same as `disabled`, with a reason and an end',
    answers: { 200: { data: wholePauseAnswer } },
    takesIfNoneMatch: true,
    body: Type.Object({ reason: pauseReason, until: pauseUntil }),
    handle: async (request) => {
      requireRoot(request);
      const reason = givenReason(request.body.reason);
      const until = endOfPause(request.body.until);
      if (reason !== null) request.note({ reason });
      if (until) request.note({ until: until.toISOString() });
      return ok(await changePause(request, true, { reason, until }));
    },
  }),
  endpoint({
    method: 'POST',
    alsoMethods: ['PUT'],
    path: '/sys/sync/resume',
    access: 'policy',
    summary: 'Resume syncing as a whole; destinations that are paused themselves stay so',
    answers: { 200: { data: wholePauseAnswer } },
    body: Type.Object({}),
    handle: async (request) => {
      requireRoot(request);
      return ok(await changePause(request, false));
    },
  }),
];

async function changePause(
  request: ApiRequest,
  disabled: boolean,
  pause: { reason?: string | null; until?: Date | null } = {},
) {
  const { before, after } = await change(request, (present) => ({ ...present, disabled }), pause);
  const now = await readWholePause(request.services.db);
  return { ...after, paused: now && presentPause(now), was_paused: before.disabled };
}

async function change(
  request: ApiRequest,
  next: (present: SyncConfig) => unknown,
  pause: { reason?: string | null; until?: Date | null } = {},
): Promise<{ before: SyncConfig; after: SyncConfig }> {
  const { db, events } = request.services;
  const by = request.caller.token.display_name;
  const { before, after, unknown } = await transact(db, async (transaction) => {
    const present = await lockSyncConfig(transaction);
    requireUnpaused(request.header('if-none-match'), await readWholePause(transaction), 'syncing');
    const checked = check(next(present));
    if ('faults' in checked) throw secretsDialect.invalid(checked.faults);
    const { disabled, queue_capacity } = checked.value;
    const config = { disabled, queue_capacity };
    await writeSyncConfig(transaction, {
      before: present,
      config,
      by,
      reason: pause.reason,
      until: pause.until,
    });
    return { before: present, after: config, unknown: checked.unknown };
  });
  warnOfUnknown(request, unknown);
  request.note({ changed: describeChanges(before, after) });
  events.send({ name: 'sync-config.changed', data: after });
  return { before, after };
}

function requireRoot({ namespace }: ApiRequest): void {
  if (namespace.id === ROOT_NAMESPACE.id) return;
  throw new RequestError('root_namespace_only', ['this API is reserved to the root namespace']);
}
