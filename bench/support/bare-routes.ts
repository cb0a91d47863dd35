import type { Context as KoaContext } from 'koa';
import type { Context } from '../../libs/service/context.ts';
import { findLiveVersion, linkSecret } from '../../libs/store/associations/associations.ts';
import { findRecord, listRecords } from '../../libs/store/associations/records.ts';
import { findDestination } from '../../libs/store/destinations/destinations.ts';
import { findMount, type Mount } from '../../libs/store/secrets/mounts.ts';
import { changeSecret } from '../../libs/store/secrets/secrets.ts';
import { findVersion, openVersion } from '../../libs/store/secrets/read.ts';
import { addVersion } from '../../libs/store/secrets/write.ts';

/** `callWorker` sends a settings change to the bare worker. */
type BareContext = Context & { callWorker: (body: string) => Promise<string> };

type Route = {
  method: string;
  path: RegExp;
  answer: (context: BareContext, ctx: KoaContext, body: string) => Promise<unknown>;
};

const KEY = { namespaceId: 'root', type: 'cloud1-sm', name: 'bench' };

/** The routes of the bare API: they run the statements of each measured endpoint and return the rows as JSON. */
export const bareRoutes: Route[] = [
  { method: 'GET', path: /\/bench$/, answer: ({ db }) => findDestination(db, KEY) },
  {
    method: 'GET',
    path: /\/associations$/,
    answer: async ({ db }, ctx) => {
      const row = await findDestination(db, KEY);
      return row && listRecords(db, row.id, { limit: Number(ctx.query['limit']) });
    },
  },
  {
    method: 'GET',
    path: /^\/v1\/secret\/data\//,
    answer: async (context, ctx) => {
      const secret = await secretAt(context, ctx.path);
      const stored = await findVersion(context.db, secret);
      const json = stored && openVersion(context.keyring, stored);
      return { data: JSON.parse(json ?? 'null') as unknown, version: stored?.version };
    },
  },
  {
    method: 'POST',
    path: /^\/v1\/secret\/data\//,
    answer: async (context, ctx, body) => {
      const secret = await secretAt(context, ctx.path);
      const { data } = JSON.parse(body) as { data: object };
      const version = { json: JSON.stringify(data), cas: undefined, createdBy: 'bench' };
      const result = await changeSecret(context.db, secret, 'bench', (transaction) =>
        addVersion(transaction, context.keyring, secret, version),
      );
      return result;
    },
  },
  {
    method: 'POST',
    path: /\/associations\/set$/,
    answer: ({ db }, _ctx, body) => setAssociation(db, JSON.parse(body) as { secret_name: string }),
  },
  {
    method: 'PATCH',
    path: /\/general-settings$/,
    answer: async ({ callWorker }, _ctx, body) => {
      const { data } = JSON.parse(body) as { data: { attributes: Record<string, unknown> } };
      return JSON.parse(await callWorker(JSON.stringify(data.attributes))) as unknown;
    },
  },
];

async function setAssociation(
  db: Context['db'],
  { secret_name: secretPath }: { secret_name: string },
): Promise<unknown> {
  const mount = await findMount(db, 'root', 'secret');
  const linked = await db.transaction(async (transaction) => {
    const row = await findDestination(transaction, KEY, 'share');
    if (!row || !mount) return undefined;
    await findLiveVersion(transaction, { mountId: mount.id, path: secretPath }, { hold: true });
    return linkSecret(transaction, {
      namespaceId: 'root',
      destinationId: row.id,
      mountId: mount.id,
      secretPath,
      author: 'bench',
    });
  });
  return linked && findRecord(db, linked.id);
}

async function secretAt({ db }: Context, path: string): Promise<{ mount: Mount; path: string }> {
  const mount = await findMount(db, 'root', 'secret');
  if (!mount) throw new Error('no mount');
  return { mount, path: path.slice('/v1/secret/data/'.length) };
}
