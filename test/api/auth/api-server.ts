import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCertificate } from '../../sandbox/azure-key-vault/certificate.ts';
import type { Authority } from './authority.ts';
import type { Account, Cluster } from './cluster.ts';

/**
 * The API server of a cluster, which reviews tokens and shows namespaces. `state`: how often it was called, the status with which it answers everything (0: it works),
 * whether it answers at all, and what it says instead of the truth. `reviews`: who asked, and for which audiences. `reads`: who read which namespace.
 */
export type ApiServer = {
  url: string;
  ca: string;
  state: { calls: number; down: number; hangs: boolean; lie: object | undefined };
  reviews: { by: string; audiences: string[] }[];
  reads: { by: string; namespace: string }[];
  /** Makes a namespace, or gives it other labels. */
  label: (namespace: string, labels: Record<string, string>) => void;
  /** Binds an account to system:auth-delegator. */
  allow: (account: Account) => void;
  /** Lets an account get namespaces. */
  allowNamespaces: (account: Account) => void;
  stop: () => Promise<void>;
};

const NAMESPACE = /^\/api\/v1\/namespaces\/([^/?]+)$/;
const PATH = '/apis/authentication.k8s.io/v1/tokenreviews';

/** Starts it, with a certificate of its own or that of an authority. Undo: `stop`. */
export async function startApiServer(cluster: Cluster, authority?: Authority): Promise<ApiServer> {
  const { cert, key } = authority?.issued ?? (await selfSigned());
  const state: ApiServer['state'] = { calls: 0, down: 0, hangs: false, lie: undefined };
  const reviews: ApiServer['reviews'] = [];
  const reads: ApiServer['reads'] = [];
  const delegators = new Set<string>();
  const readers = new Set<string>();
  const namespaces = new Map<string, Record<string, string>>();

  const answer = async (request: IncomingMessage, body: string): Promise<[number, object]> => {
    if (state.down !== 0) return [state.down, {}];
    const [, bearer = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const caller = await cluster.validate(bearer, [cluster.issuer]).catch(() => undefined);
    if (!caller) return [401, { kind: 'Status', reason: 'Unauthorized' }];
    const [, chosen] = NAMESPACE.exec(request.url ?? '') ?? [];
    if (request.method === 'GET' && chosen) return read(caller.account, chosen);
    if (request.method === 'POST' && request.url === PATH) return review(caller.account, body);
    return [404, { kind: 'Status' }];
  };

  const read = ({ namespace, name, uid }: Account, wanted: string): [number, object] => {
    if (!readers.has(uid)) return [403, { kind: 'Status', reason: 'Forbidden' }];
    reads.push({ by: `${namespace}/${name}`, namespace: wanted });
    const labels = namespaces.get(wanted);
    if (!labels) return [404, { kind: 'Status', reason: 'NotFound' }];
    const found = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: wanted, labels } };
    return [200, { ...found, ...state.lie }];
  };

  const review = async ({ namespace, name, uid }: Account, body: string): Promise<[number, object]> => {
    if (!delegators.has(uid)) return [403, { kind: 'Status', reason: 'Forbidden' }];
    const { apiVersion, kind, spec } = JSON.parse(body);
    if (apiVersion !== 'authentication.k8s.io/v1' || kind !== 'TokenReview') return [400, { kind: 'Status' }];
    const audiences: string[] = spec.audiences ?? [cluster.issuer];
    reviews.push({ by: `${namespace}/${name}`, audiences });
    const found = await cluster.validate(spec.token, audiences).catch((error: Error) => error);
    const status = found instanceof Error ? { authenticated: false, error: found.message } : statusOf(found);
    return [201, { apiVersion, kind, spec, status: { ...status, ...state.lie } }];
  };

  const server = createServer({ cert, key }, (request: IncomingMessage, response: ServerResponse) => {
    state.calls += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (state.hangs) return;
      void answer(request, Buffer.concat(chunks).toString()).then(([status, said]) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: authority?.ca ?? cert,
    state,
    reviews,
    reads,
    label: (namespace, labels) => void namespaces.set(namespace, labels),
    allow: ({ uid }) => void delegators.add(uid),
    allowNamespaces: ({ uid }) => void readers.add(uid),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function selfSigned(): Promise<{ cert: string; key: string }> {
  const { remove, ...certificate } = await createCertificate();
  await remove();
  return certificate;
}

function statusOf({ account, audiences }: { account: Account; audiences: string[] }): object {
  const { namespace, name, uid } = account;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  const user = { username: `system:serviceaccount:${namespace}:${name}`, uid, groups };
  return { authenticated: true, user, audiences };
}
