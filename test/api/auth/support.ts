import { expect } from 'chai';
import { serveWorker } from '../../../libs/commands/commands.ts';
import { createMaintenanceHandlers } from '../../../services/key-maintenance/commands.ts';
import { createMaintenanceServices } from '../../../services/key-maintenance/services.ts';
import type { Answer, CallOptions } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift, type Starter } from '../../support/sealift.ts';

// Without the schedule, whose runs would call the issuers too.
const serveCommands: Starter = async (context) => {
  const { broker } = context;
  const handlers = createMaintenanceHandlers(createMaintenanceServices(context));
  const commands = serveWorker(broker, { ...context, worker: 'key-maintenance', prefetch: 8, handlers });
  broker.start();
  await eventually(() => broker.ready);
  return { stop: () => commands.stop() };
};

/** An installation behind one proxy, so that a request can come from any address, with the worker that fetches keys. */
export async function startWithMethods(...types: string[]): Promise<Sealift> {
  const sealift = await startSealift({
    environment: { TRUST_PROXY: '1', EGRESS_ALLOW: '127.0.0.1' },
    workers: { 'key-maintenance': serveCommands },
  });
  const policy = 'path "secret/data/app" { capabilities = ["read"] }';
  await done(sealift.client.post('/v1/sys/policies/acl/app', { policy }));
  for (const type of types) await done(sealift.client.post(`/v1/sys/auth/${type}`, { type }));
  return sealift;
}

/** The options of a call from an address, without a token. */
export function from(address: string, options: CallOptions = {}): CallOptions {
  return { token: null, ...options, headers: { 'x-forwarded-for': address, ...options.headers } };
}

/** Throws unless the call succeeds. */
export async function done(call: Promise<Answer>): Promise<Answer> {
  const answer = await call;
  expect(answer.status, answer.text).to.be.lessThan(300);
  return answer;
}

/** The status and the errors of a refused call. */
export async function refusal(call: Promise<Answer>): Promise<[number, string]> {
  const { status, body } = await call;
  return [status, ((body?.errors ?? []) as string[]).join()];
}

/** Makes a role of AppRole, and returns what logs in with it. */
export async function makeRole(
  { client }: Sealift,
  role: object = {},
  { name = 'web', namespace = '' } = {},
): Promise<{ role_id: string; secret_id: string; secret_id_accessor: string }> {
  const path = `/v1/auth/approle/role/${name}`;
  await done(client.post(path, { token_policies: 'app', ...role }, { namespace }));
  const { role_id } = (await client.get(`${path}/role-id`, { namespace })).body.data;
  const { data } = (await done(client.post(`${path}/secret-id`, {}, { namespace }))).body;
  return { role_id, secret_id: data.secret_id, secret_id_accessor: data.secret_id_accessor };
}
