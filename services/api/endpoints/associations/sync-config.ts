import { Type } from 'typebox';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { transact } from '../../../../libs/db/transact.ts';
import { ROOT_NAMESPACE } from '../../../../libs/store/access/namespaces.ts';
import {
  lockSyncConfig,
  readSyncConfig,
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
import { closed } from '../../contract/schema.ts';

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
      return ok(await change(request, (present) => mergePatch(present, patch)));
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
      return ok(await change(request, () => ({})));
    },
  }),
];

async function change(request: ApiRequest, next: (present: SyncConfig) => unknown): Promise<SyncConfig> {
  const { db, events } = request.services;
  const { before, after, unknown } = await transact(db, async (transaction) => {
    const present = await lockSyncConfig(transaction);
    const checked = check(next(present));
    if ('faults' in checked) throw secretsDialect.invalid(checked.faults);
    const { disabled, queue_capacity } = checked.value;
    await writeSyncConfig(transaction, present, { disabled, queue_capacity });
    return { before: present, after: { disabled, queue_capacity }, unknown: checked.unknown };
  });
  warnOfUnknown(request, unknown);
  request.note({ changed: describeChanges(before, after) });
  events.send({ name: 'sync-config.changed', data: after });
  return after;
}

function requireRoot({ namespace }: ApiRequest): void {
  if (namespace.id === ROOT_NAMESPACE.id) return;
  throw new RequestError('root_namespace_only', ['this API is reserved to the root namespace']);
}
