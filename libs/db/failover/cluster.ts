import type pg from 'pg';
import { splitHosts } from '../../config/hosts.ts';
import type { Log } from '../../log/log.ts';
import { TimedOutError, withTimeout } from '../../time/with-timeout.ts';
import type { SessionClient } from '../session.ts';
import { nameRefusedTable } from '../refusals.ts';
import { isUnreachable } from '../unreachable.ts';
import { compareBranches, identify, type Branch } from './branch.ts';
import { NoPrimaryError } from './no-primary-error.ts';

const LOOK_MS = 5000;
// Behind one address there is mostly one server, and each look is a new connection: more work than all else at rest.
const ONLY_HOST_LOOK_MS = 15_000;
// Trying all hosts in turn must fit into the time that a caller waits for a connection.
const HOSTS_LIMIT_MS = 8000;
const HOST_LIMIT_MS = 2000;
const ONLY_HOST_LIMIT_MS = 5000;

/** Creates a client for the URL of one host. The client gives up connecting after `limitMs` milliseconds. */
export type CreateClient = (url: string, limitMs: number) => SessionClient;

type Found = { index: number; branch: Branch };

/**
 * The servers that a URL names; one of them is the primary. All connections go to the primary, and never to a branch
 * older than one that was seen. A healthy connection to a replaced primary never ends by itself, so all hosts are asked
 * every five seconds, and a single one every fifteen. Undo of `watch`: `stop`.
 */
export class Cluster {
  readonly #urls: string[];
  readonly #limitMs: number;
  readonly #connections = new Map<pg.Client, Branch>();
  readonly #listeners: (() => void)[] = [];
  #known: Branch | null = null;
  // The host that was the primary last time.
  #first = 0;
  #log: Log | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(url: string) {
    this.#urls = splitHosts(url) ?? [url];
    const { length } = this.#urls;
    this.#limitMs = length === 1 ? ONLY_HOST_LIMIT_MS : Math.min(HOST_LIMIT_MS, HOSTS_LIMIT_MS / length);
  }

  /** Calls a listener each time another branch replaces the known one. */
  onNewBranch(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Starts asking all hosts now and then. */
  watch(create: CreateClient, log: Log): void {
    this.#log = log;
    const everyMs = this.#urls.length === 1 ? ONLY_HOST_LOOK_MS : LOOK_MS;
    this.#timer ??= setInterval(() => void this.#look(create), everyMs);
  }

  /** Idempotent; resolves when the running look has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  /** A connection to the primary. Throws an error from one of the hosts, or NoPrimaryError. */
  async connect(create: CreateClient): Promise<SessionClient> {
    // It is not known yet which of several hosts is the newest.
    if (this.#known === null && this.#urls.length > 1) await this.#look(create);
    const faults: unknown[] = [];
    for (let turn = 0; turn < this.#urls.length; turn += 1) {
      const index = (this.#first + turn) % this.#urls.length;
      try {
        const client = await this.#join(index, create);
        this.#first = index;
        return client;
      } catch (error) {
        faults.push(error);
      }
    }
    // Errors that waiting does not cure come first, such as a wrong password.
    throw faults.find((fault) => !isUnreachable(fault)) ?? faults[0];
  }

  async #join(index: number, create: CreateClient): Promise<SessionClient> {
    const { client, branch } = await this.#open(index, create);
    if (branch === null) return client;
    const stand = this.#known === null ? 'newer' : compareBranches(branch, this.#known);
    if (stand === 'older' || stand === 'other') {
      end(client);
      throw new NoPrimaryError('old branch');
    }
    if (stand === 'newer') this.#follow(branch);
    else this.#known = { ...branch, id: branch.id ?? this.#known?.id ?? null };
    this.#connections.set(client, branch);
    client.once('end', () => this.#connections.delete(client));
    return client;
  }

  // Throws NoPrimaryError if a standby answers.
  async #open(
    index: number,
    create: CreateClient,
  ): Promise<{ client: SessionClient; branch: Branch | null }> {
    const client = create(this.#urls[index] ?? '', this.#limitMs);
    try {
      await client.connect();
      await withTimeout(this.#limitMs, client.begin());
      const { isStandby, branch } = await withTimeout(this.#limitMs, identify(client));
      if (isStandby) throw new NoPrimaryError('standby');
      return { client, branch };
    } catch (error) {
      end(client);
      nameRefusedTable(error);
      throw error instanceof TimedOutError ? new Error('Postgres does not answer') : error;
    }
  }

  #look(create: CreateClient): Promise<void> {
    this.#looking ??= this.#lookOnce(create).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #lookOnce(create: CreateClient): Promise<void> {
    const answers = await Promise.allSettled(
      this.#urls.map(async (_, index): Promise<Found[]> => {
        const { client, branch } = await this.#open(index, create);
        end(client);
        return branch === null ? [] : [{ index, branch }];
      }),
    );
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    const chosen = chooseBranch(found, this.#known);
    if (!chosen) return;
    this.#first = chosen.index;
    this.#follow(chosen.branch);
  }

  // Destroys connections to branches that were left, so that their running statements fail.
  #follow(branch: Branch): void {
    const former = this.#known;
    this.#known = branch;
    if (former === null) return;
    this.#log?.warn({ from: former.timeline, to: branch.timeline }, 'the database has a new primary');
    for (const [client, server] of this.#connections)
      if (compareBranches(server, branch) !== 'same') streamOf(client).destroy();
    for (const listener of this.#listeners) listener();
  }
}

/** The branch to follow from now on; undefined to stay on the known one, or if none was found. */
export function chooseBranch(found: Found[], known: Branch | null): Found | undefined {
  const isNewer = ({ branch }: Found): boolean =>
    known !== null && compareBranches(branch, known) === 'newer';
  const [newest] = found
    .filter((one) => known === null || isNewer(one))
    .toSorted((left, right) => right.branch.timeline - left.branch.timeline);
  if (newest || known === null) return newest;
  // If neither descends from the other, we stay on the known branch as long as it answers.
  if (found.some(({ branch }) => compareBranches(branch, known) === 'same')) return undefined;
  return found.find(({ branch }) => compareBranches(branch, known) === 'other');
}

// Does not wait: a frozen server does not answer the goodbye.
function end(client: pg.Client): void {
  client.end().catch(() => undefined);
  streamOf(client).destroySoon();
}

function streamOf(client: pg.Client): { destroy: () => void; destroySoon: () => void } {
  return (client as unknown as { connection: { stream: { destroy: () => void; destroySoon: () => void } } })
    .connection.stream;
}
