import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choosePort } from '../../../deploy/local/ports.ts';
import { supervise, type Supervised } from '../supervised.ts';
import type { World } from '../world.ts';
import type { Version } from './versions.ts';

/** Processes that are replaced together. */
export type Part = keyof World['processes'];

/** In the order of an upgrade. */
export const PARTS: Part[] = ['workers', 'admin', 'apis'];

/** Processes of several versions that run at the same time, as in an upgrade. */
export type Fleet = {
  /** Starts all processes of a part in a version, beside the running ones. Resolves when they are ready and get calls. */
  start: (part: Part, version: Version) => Promise<void>;
  /** Stops a part of a version, one process after the other. A process gets no more calls when it is told to stop. */
  retire: (part: Part, version: Version) => Promise<void>;
  stop: () => Promise<void>;
};

/** How many processes of each kind, as in `WorldOptions`. */
export type Sizes = { apis: number; workers: Record<string, number>; admin: number };

type Member = { part: Part; version: Version; process: Supervised; url?: string };

// A client that has just chosen an address still sends its request there.
const CHOSEN_MS = 300;

/** The fleet of a world that was started without processes. */
export function createFleet(world: World, sizes: Sizes): Fleet {
  const { environment, broken } = world;
  let members: Member[] = [];
  let started = 0;

  const launch = async (
    part: Part,
    version: Version,
    { name, words = [], own = {} }: { name: string; words?: string[]; own?: Record<string, string> },
  ): Promise<Member> => {
    started += 1;
    const process = await supervise({
      name: [name, ...words, started].join('-'),
      program: join(version.root, `services/${name}/main.js`),
      words,
      environment: () => ({ ...environment, ...own }),
      log: join(world.servers.directory, `${[name, ...words, started].join('-')}.log`),
    });
    world.processes[part].push(process);
    const member = { part, version, process };
    members.push(member);
    return member;
  };

  const launchApi = async (version: Version): Promise<Member> => {
    const port = await choosePort(undefined);
    const member = await launch('apis', version, { name: 'api', own: { PORT: String(port) } });
    member.url = `http://127.0.0.1:${port}`;
    return member;
  };

  const launchPart = (part: Part, version: Version): Promise<Member>[] => {
    if (part === 'apis') return repeat(sizes.apis, () => launchApi(version));
    if (part === 'admin')
      return ['settings', 'key-maintenance'].flatMap((name) =>
        repeat(sizes.admin, () => launch(part, version, { name })),
      );
    return Object.entries(sizes.workers).flatMap(([type, count]) =>
      repeat(count, () => launch(part, version, { name: 'connectors', words: [type] })),
    );
  };

  return {
    async start(part, version) {
      const fresh = await Promise.all(launchPart(part, version));
      for (const { process, url } of fresh) {
        await process.ready();
        if (url !== undefined) world.caller.add(url);
      }
    },
    async retire(part, version) {
      for (const member of members.filter((one) => one.part === part && one.version === version)) {
        const { process, url } = member;
        if (url !== undefined) world.caller.remove(url);
        await sleep(CHOSEN_MS);
        const code = await process.stop('SIGTERM');
        members = members.filter((one) => one !== member);
        if (code !== 0) broken.push(`${process.name} of ${version.name} ended with ${code}, not with 0`);
        if (process.ends() > 0) broken.push(`${process.name} of ${version.name} ended by itself`);
      }
    },
    async stop() {
      await Promise.all(members.map(({ process }) => process.stop()));
      members = [];
    },
  };
}

function repeat<Made>(count: number, make: () => Made): Made[] {
  return Array.from({ length: count }, make);
}
