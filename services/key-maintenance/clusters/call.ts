import type { ClusterFault } from '../../../libs/commands/key-maintenance-commands.ts';
import { fetchOnce } from '../../../libs/egress/fetch-once.ts';
import { EgressError } from '../../../libs/egress/guard.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';
import { parseJson } from '../../../libs/validation/parse-json.ts';

const LIMIT_MS = 5000;
const LONGEST = 256 * 1024;

/** A cluster was asked in vain. The message is a sentence that may be stored; it holds nothing that was sent or received. */
export class ClusterError extends Error {
  readonly outcome: ClusterFault;
  /** Whether the certificate of the API server is of another authority than those that count. */
  readonly isUntrusted: boolean;
  constructor(outcome: ClusterFault, message: string, { isUntrusted = false } = {}) {
    super(message);
    this.name = 'ClusterError';
    this.outcome = outcome;
    this.isUntrusted = isUntrusted;
  }
}

/**
 * An API server, and what may be called. `ca`: certificates to trust instead of the usual ones; empty: these. `isOwn`: they
 * are those of the worker's own pod.
 */
export type AskedCluster = { host: string; ca: string; isOwn: boolean; egressAllow: string[] };

/** A question to an API server: a POST if it has a body. `bearer`: the token that asks; absent: none. */
export type ClusterRequest = { bearer?: string; path: string; body?: object };

/** Calls the API server of a cluster, within 5 s. Throws ClusterError if it cannot be reached. */
export async function callCluster(
  cluster: AskedCluster,
  request: ClusterRequest,
): Promise<{ status: number; answer: Record<string, unknown> }> {
  const { status, text } = await exchange(cluster, request).catch((error: unknown) => {
    throw faultOf(error, cluster);
  });
  return { status, answer: parsed(text) };
}

function exchange(
  { host, ca, egressAllow }: AskedCluster,
  { bearer, path, body }: ClusterRequest,
): Promise<{ status: number; text: string }> {
  const init = {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      'user-agent': 'sealift',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  };
  return fetchOnce(`${host.replace(/\/+$/, '')}${path}`, init, { ca, egressAllow, timeoutMs: LIMIT_MS });
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

// What OpenSSL says of a certificate that none of the trusted authorities has issued.
const OF_OTHERS = new Set([
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

// The text of an error may hold what was received; its code does not.
function faultOf(error: unknown, cluster: AskedCluster): ClusterError {
  if (error instanceof EgressError)
    return new ClusterError('unavailable', `the cluster was not called: ${error.message}`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (OF_OTHERS.has(code))
    return new ClusterError('unavailable', untrusted(cluster, code), { isUntrusted: !cluster.isOwn });
  const known = /^\w{1,60}$/.test(code) ? code : 'unknown';
  return new ClusterError('unavailable', `the API server of the cluster cannot be reached (${known})`);
}

function untrusted({ ca, isOwn }: AskedCluster, code: string): string {
  const authority = isOwn ? "the CA of the worker's own pod" : 'the given CA';
  const known = ca === '' ? 'any CA that this machine knows' : authority;
  const advice = ca === '' ? ': set kubernetes_ca_cert' : '';
  return `the certificate of the API server was not issued by ${known} (${code})${advice}`;
}
