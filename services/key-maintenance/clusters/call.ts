import type { ClusterFault } from '../../../libs/commands/key-maintenance-commands.ts';
import { guardedAgent } from '../../../libs/egress/agent.ts';
import { createFetch } from '../../../libs/egress/fetch.ts';
import { EgressError } from '../../../libs/egress/guard.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';

const LIMIT_MS = 5000;
const LONGEST = 256 * 1024;

/** A cluster was asked in vain. The message is a sentence that may be stored; it holds nothing that was sent or received. */
export class ClusterError extends Error {
  readonly outcome: ClusterFault;
  constructor(outcome: ClusterFault, message: string) {
    super(message);
    this.name = 'ClusterError';
    this.outcome = outcome;
  }
}

/** An API server, and what may be called. `ca`: certificates to trust instead of the usual ones; empty: these. */
export type AskedCluster = { host: string; ca: string; egressAllow: string[] };

/** A question to an API server: a POST if it has a body. `bearer`: the token that asks; absent: none. */
export type ClusterRequest = { bearer?: string; path: string; body?: object };

/** Calls the API server of a cluster, within 5 s. Throws ClusterError if it cannot be reached. */
export async function callCluster(
  cluster: AskedCluster,
  request: ClusterRequest,
): Promise<{ status: number; answer: Record<string, unknown> }> {
  const { status, text } = await exchange(cluster, request).catch((error: unknown) => {
    throw new ClusterError('unavailable', describeFault(error));
  });
  return { status, answer: parsed(text) };
}

async function exchange(
  { host, ca, egressAllow }: AskedCluster,
  { bearer, path, body }: ClusterRequest,
): Promise<{ status: number; text: string }> {
  const url = `${host.replace(/\/+$/, '')}${path}`;
  const options = { maxSockets: 1, ...(ca === '' ? {} : { ca: [ca] }) };
  const agent = guardedAgent(url, { egressAllow }, options);
  try {
    const call = createFetch({ baseUrl: url, agent, timeoutMs: LIMIT_MS });
    const answer = await call(url, {
      method: body ? 'POST' : 'GET',
      headers: {
        accept: 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        'user-agent': 'sealift',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, text: await answer.text() };
  } finally {
    void agent.destroy();
  }
}

// Empty for what is no answer of an API server, whose objects are never that long.
function parsed(text: string): Record<string, unknown> {
  try {
    const found: unknown = text.length > LONGEST ? undefined : parseJson(text);
    return isJsonObject(found) ? found : {};
  } catch {
    return {};
  }
}

// The text of an error may hold what was received; its code does not.
function describeFault(error: unknown): string {
  if (error instanceof EgressError) return `the cluster was not called: ${error.message}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `the API server of the cluster cannot be reached (${/^\w{1,60}$/.test(code) ? code : 'unknown'})`;
}
