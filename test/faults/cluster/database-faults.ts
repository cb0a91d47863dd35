import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import type { PostgresNode } from '../../support/postgres-pair.ts';
import type { Proxy } from '../../support/proxy.ts';
import type { Fault } from '../fault.ts';
import type { World } from '../world.ts';
import type { ClusterServers } from './servers.ts';

const HOLD_MS = 2000;
const FREEZE_MS = 8000;
// Processes ask the hosts every five seconds, each for up to two. The rest is a margin for a busy machine.
const LEFT_LIMIT_MS = 20_000;
const SAID_LIMIT_MS = 20_000;

/** All faults of a Postgres primary and its standby. Both have every acknowledged change. `frozenMs`: how long one is frozen. */
export function createDatabaseFaults(servers: ClusterServers, frozenMs = FREEZE_MS): Fault[] {
  return [
    ...createFailovers(servers, frozenMs),
    {
      // Open connections stay with the former primary, because nothing cuts them.
      name: 'Postgres address moved to the promoted standby',
      strike: async (world) => {
        const proxy = proxyOf(world, servers, servers.primary());
        const former = await servers.promote();
        proxy.lead(servers.primary().port);
        await expectLeft(world, former);
        await servers.rejoin(former);
        proxy.lead(former.port);
      },
    },
    { name: 'Postgres primary frozen for a while', strike: () => freezeAWhile(servers.primary(), frozenMs) },
    { name: 'Postgres standby frozen for a while', strike: () => freezeAWhile(servers.standby(), frozenMs) },
    {
      name: 'Postgres standby away',
      strike: async (world) => {
        await servers.standby().kill();
        await hearOfMissingStandby(world);
        await servers.standby().start();
      },
    },
  ];
}

// `strike` returns the former primary, which starts again as a standby.
function createFailovers(servers: ClusterServers, frozenMs: number): Fault[] {
  const failover = (name: string, strike: (world: World) => Promise<PostgresNode>): Fault => ({
    name,
    strike: async (world) => servers.rejoin(await strike(world)),
  });
  return [
    failover('Postgres primary killed and its standby promoted', async () => {
      await servers.primary().kill();
      const former = await servers.promote();
      await sleep(HOLD_MS);
      return former;
    }),
    failover('Postgres primary frozen, its standby promoted, and the former one goes on', async (world) => {
      await servers.primary().freeze();
      const former = await servers.promote();
      await sleep(frozenMs);
      await former.thaw();
      await expectLeft(world, former);
      return former;
    }),
    failover('Postgres primary cut off, its standby promoted, and the former one is back', async (world) => {
      const proxy = proxyOf(world, servers, servers.primary());
      proxy.stall(true);
      const former = await servers.promote();
      await sleep(frozenMs);
      proxy.stall(false);
      await expectLeft(world, former);
      return former;
    }),
  ];
}

function proxyOf({ proxies }: World, servers: ClusterServers, node: PostgresNode): Proxy {
  const proxy = proxies.postgres[servers.databases.indexOf(node)];
  if (!proxy) throw new Error('there is no proxy of that node');
  return proxy;
}

// The former primary still runs and can be reached, but no process may stay connected to it. It keeps a backend for each
// commit that waits for a standby, even after the client has disconnected.
async function expectLeft({ broken, proxies }: World, former: PostgresNode): Promise<void> {
  const isLeft = async (): Promise<boolean> => {
    const open = new Set(proxies.postgres.flatMap((proxy) => proxy.ports()));
    const ours = await former.query<{ port: number }>(OURS);
    return !ours.some(({ port }) => open.has(port));
  };
  await eventually(isLeft, { limitMs: LEFT_LIMIT_MS, everyMs: 100 }).catch(() =>
    broken.push('connections stayed with a former primary'),
  );
}

const OURS = `SELECT client_port AS port FROM pg_stat_activity
  WHERE application_name LIKE 'sealift-%' AND application_name NOT LIKE '%-look'`;

async function freezeAWhile(node: PostgresNode, frozenMs: number): Promise<void> {
  await node.freeze();
  await sleep(frozenMs);
  await node.thaw();
}

// Changes wait for a standby, and the API's readiness names the reason.
async function hearOfMissingStandby({ processes, broken }: World): Promise<void> {
  const heard = new Set<string>();
  const isTold = async (): Promise<boolean> => {
    const missing = await Promise.all(processes.apis.map((api) => api.missing().catch(String)));
    for (const sentence of missing.flat()) heard.add(sentence);
    return heard.has('Postgres waits for a synchronous standby');
  };
  await eventually(isTold, { limitMs: SAID_LIMIT_MS, everyMs: 50 }).catch(() =>
    broken.push(`no API said that it waits for the standby that is away, but: ${[...heard].join('; ')}`),
  );
}
