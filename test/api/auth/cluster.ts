import { randomUUID } from 'node:crypto';
import { exportSPKI, SignJWT, type JWTPayload } from 'jose';
import { makeKey } from './issuer.ts';

type Key = Awaited<ReturnType<typeof makeKey>>;

/** A service account of the cluster, as tokens and reviews name it. */
export type Account = { namespace: string; name: string; uid: string };

/** What a token is like; absent: that of a pod, for the audience `sealift`, for ten minutes. */
export type TokenOptions = {
  audiences?: string[];
  expiresIn?: number;
  claims?: JWTPayload;
  key?: Key;
};

/** A Kubernetes cluster: service accounts with the pods that run as them, and the tokens that they get. */
export type Cluster = {
  issuer: string;
  key: Key;
  pem: () => Promise<string>;
  addAccount: (namespace: string, name: string) => Account;
  /** The token that is projected into a pod of the account. */
  tokenOf: (account: Account, options?: TokenOptions) => Promise<string>;
  /** The token in a secret of the account, as older clusters made them: without an end and an audience. */
  oldTokenOf: (account: Account, claims?: JWTPayload) => Promise<string>;
};

/** Makes a cluster whose API server nobody asks. */
export async function makeCluster(): Promise<Cluster> {
  const issuer = 'https://kubernetes.default.svc.cluster.local';
  const key = await makeKey('RS256', 'cluster-1');
  const sign = (claims: JWTPayload, { alg, kid, privateKey }: Key): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey);
  return {
    issuer,
    key,
    pem: () => exportSPKI(key.publicKey),
    addAccount: (namespace, name) => ({ namespace, name, uid: randomUUID() }),
    tokenOf: ({ namespace, name, uid }, options = {}) => {
      const { audiences = ['sealift'], expiresIn = 600, claims = {}, key: signing = key } = options;
      const now = Math.floor(Date.now() / 1000);
      const kubernetes = {
        namespace,
        node: { name: 'node-1', uid: randomUUID() },
        pod: { name: `${name}-0`, uid: randomUUID() },
        serviceaccount: { name, uid },
      };
      return sign(
        {
          aud: audiences,
          iss: issuer,
          iat: now,
          nbf: now,
          exp: now + expiresIn,
          jti: randomUUID(),
          'kubernetes.io': kubernetes,
          sub: `system:serviceaccount:${namespace}:${name}`,
          ...claims,
        },
        signing,
      );
    },
    oldTokenOf: ({ namespace, name, uid }, claims = {}) =>
      sign(
        {
          iss: 'kubernetes/serviceaccount',
          'kubernetes.io/serviceaccount/namespace': namespace,
          'kubernetes.io/serviceaccount/secret.name': `${name}-token`,
          'kubernetes.io/serviceaccount/service-account.name': name,
          'kubernetes.io/serviceaccount/service-account.uid': uid,
          sub: `system:serviceaccount:${namespace}:${name}`,
          ...claims,
        },
        key,
      ),
  };
}
