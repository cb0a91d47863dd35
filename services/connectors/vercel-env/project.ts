import { projectsCreateProjectEnv } from '@vercel/sdk/funcs/projectsCreateProjectEnv.js';
import { projectsEditProjectEnv } from '@vercel/sdk/funcs/projectsEditProjectEnv.js';
import { projectsFilterProjectEnvs } from '@vercel/sdk/funcs/projectsFilterProjectEnvs.js';
import { projectsGetProjectEnv } from '@vercel/sdk/funcs/projectsGetProjectEnv.js';
import { projectsRemoveProjectEnv } from '@vercel/sdk/funcs/projectsRemoveProjectEnv.js';
import type { ConnectorError } from '../../../libs/connector/errors.ts';
import { asObject } from '../../../libs/connector/http/json.ts';
import type { Client } from './client.ts';
import type { HostingProjectSettings } from './destination.ts';
import { describeAnswer, failures } from './failures.ts';
import { readRow, type Row, type Variable } from './rows.ts';

/** A row that was refused while others of the call succeeded; `key` is null if Vercel does not say which row. */
export type Refused = { key: string | null; error: ConnectorError };

/** The store as the verbs use it. */
export type OpenStore = { project: Project; settings: HostingProjectSettings; installation: string };

/**
 * The five calls on a project's variables. They throw ConnectorErrors. Vercel gives the same answer for a missing row and
 * for a missing project: a caller that must know which lists the project.
 */
export class Project {
  readonly container: string;
  readonly #client: Client;
  readonly #common: { idOrName: string; teamId?: string };
  readonly #wantsProduction: boolean;

  constructor(client: Client, settings: HostingProjectSettings) {
    const { project_id: idOrName, team_id: teamId, deployment_environments: environments } = settings;
    this.container = client.container;
    this.#client = client;
    this.#wantsProduction = environments.includes('production');
    this.#common = { idOrName, ...(teamId ? { teamId } : {}) };
  }

  /** All rows that the token may see; `requireAll` throws if Vercel hides rows that the destination is for. */
  async list(signal: AbortSignal): Promise<{ rows: Row[]; requireAll: () => void }> {
    const rows: Row[] = [];
    const seen = new Set<number>();
    for (;;) {
      const {
        envs,
        pagination,
        hiddenProductionEnvCount: hidden,
      } = await this.#listPage([...seen].at(-1), signal);
      if (!Array.isArray(envs)) throw failures.fail('unexpected_answer');
      rows.push(...envs.map(readRow).filter((row) => row !== undefined));
      const { next } = asObject(pagination);
      if (typeof next !== 'number' || seen.has(next))
        return { rows, requireAll: () => this.#requireAll(hidden) };
      seen.add(next);
    }
  }

  // The token's role may hide production variables from it: a row that it does not see may still exist.
  #requireAll(hidden: unknown): void {
    if (!this.#wantsProduction || typeof hidden !== 'number' || hidden === 0) return;
    throw failures.fail('permission_missing', {
      scope: 'destination',
      message: `The access_token cannot see the production variables of ${this.container}: give it a role that can, or remove production from deployment_environments.`,
    });
  }

  // The SDK has no parameter for the next page.
  async #listPage(until: number | undefined, signal: AbortSignal): Promise<Record<string, unknown>> {
    const page = until === undefined ? {} : { serverURL: `${this.#client.baseUrl}?until=${until}` };
    const { data } = await this.#client.call({
      purpose: 'read',
      signal,
      expected: [200],
      invoke: (sdk, options) => projectsFilterProjectEnvs(sdk, this.#common, { ...options, ...page }),
    });
    return asObject(data);
  }

  /** One row, with its value if Vercel gives it; null if there is no such row. */
  async find(id: string, signal: AbortSignal): Promise<Row | null> {
    return requireRow(
      await this.#client.call({
        purpose: 'read',
        signal,
        expected: [200, 404],
        invoke: (sdk, options) => projectsGetProjectEnv(sdk, { ...this.#common, id }, options),
      }),
    );
  }

  /**
   * With `upsert`, replaces a row of the same key, environments and branch. Vercel refuses a row that only overlaps with
   * another.
   */
  async create(
    variables: Variable[],
    upsert: boolean,
    signal: AbortSignal,
  ): Promise<{ rows: Row[]; refused: Refused[] }> {
    const request = { ...this.#common, ...(upsert ? { upsert: 'true' } : {}), requestBody: variables };
    const { data } = await this.#client.call({
      purpose: 'write',
      signal,
      expected: [200, 201],
      invoke: (sdk, options) => projectsCreateProjectEnv(sdk, request, options),
    });
    const { created, failed } = asObject(data);
    const rows = [created]
      .flat()
      .map(readRow)
      .filter((row) => row !== undefined);
    return { rows, refused: (Array.isArray(failed) ? failed : []).map((item) => this.#readRefused(item)) };
  }

  /** Returns null if there is no such row. Fields that `change` leaves out stay as they are. */
  async edit(
    id: string,
    change: Partial<Variable> & { customEnvironmentIds?: string[] },
    signal: AbortSignal,
  ): Promise<Row | null> {
    const request = { ...this.#common, id, requestBody: change };
    return requireRow(
      await this.#client.call({
        purpose: 'write',
        signal,
        expected: [200, 404],
        invoke: (sdk, options) => projectsEditProjectEnv(sdk, request, options),
      }),
    );
  }

  /** Returns false if there was no such row. */
  async remove(id: string, signal: AbortSignal): Promise<boolean> {
    const { status } = await this.#client.call({
      purpose: 'write',
      signal,
      expected: [200, 204, 404],
      invoke: (sdk, options) => projectsRemoveProjectEnv(sdk, { ...this.#common, id }, options),
    });
    return status !== 404;
  }

  #readRefused(item: unknown): Refused {
    const { envVarKey, key } = asObject(asObject(item)['error']);
    const name = envVarKey ?? key;
    const answer = { status: 400, headers: new Headers(), data: item, purpose: 'write' as const };
    return { key: typeof name === 'string' ? name : null, error: describeAnswer(answer, this.container) };
  }
}

function requireRow({ status, data }: { status: number; data: unknown }): Row | null {
  if (status === 404) return null;
  const row = readRow(data);
  if (!row) throw failures.fail('unexpected_answer');
  return row;
}
