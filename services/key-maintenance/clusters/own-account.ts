import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Kubernetes puts the service account of a pod. */
export const OWN_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The pod that this process runs in, if it does: its environment, and the folder of its service account. */
export type OwnPod = { environment: (name: string) => string | undefined; directory: string };

const NAMES = new Set([
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]);

/**
 * The token of the worker's own pod and the certificates of its cluster. Undefined outside of a pod, and for any other
 * host: only the own cluster may ever see that token.
 */
export async function findOwnAccount(
  host: string,
  { environment, directory }: OwnPod,
): Promise<{ token: string; ca: string } | undefined> {
  if (!isOwnCluster(host, environment)) return undefined;
  try {
    const [token, ca] = await Promise.all(
      ['token', 'ca.crt'].map((name) => readFile(join(directory, name), 'utf8')),
    );
    return token && ca ? { token: token.trim(), ca } : undefined;
  } catch {
    // The pod has no service account (`automountServiceAccountToken: false`).
    return undefined;
  }
}

function isOwnCluster(host: string, environment: OwnPod['environment']): boolean {
  const address = environment('KUBERNETES_SERVICE_HOST');
  if (address === undefined || !URL.canParse(host)) return false;
  const { protocol, hostname, port } = new URL(host);
  const ownPort = environment('KUBERNETES_SERVICE_PORT') ?? '443';
  const isOwnHost = NAMES.has(hostname) || hostname === address || hostname === `[${address}]`;
  return protocol === 'https:' && isOwnHost && (port || '443') === ownPort;
}
