import { randomUUID } from 'node:crypto';
import { compactVerify, exportSPKI, SignJWT, type JWTPayload } from 'jose';
import { makeKey } from './issuer.ts';

type Key = Awaited<ReturnType<typeof makeKey>>;

/** A service account of the cluster, as tokens and reviews name it. */
export type Account = { namespace: string; name: string; uid: string };

/** A pod of a service account. */
export type Pod = { name: string; uid: string };

/** What a token is like; absent: that of a pod, for the audience `sealift`, for ten minutes. */
export type TokenOptions = {
  audiences?: string[];
  expiresIn?: number;
  claims?: JWTPayload;
  key?: Key;
  pod?: Pod;
};

/** A Kubernetes cluster: service accounts with the pods that run as them, and the tokens that they get. */
export type Cluster = {
  issuer: string;
  pem: () => Promise<string>;
  addAccount: (namespace: string, name: string) => Account;
  addPod: (account: Account) => Pod;
  /** Deletes an account or a pod. */
  remove: (gone: { uid: string }) => void;
  /** The token that is projected into a pod of the account. */
  tokenOf: (account: Account, options?: TokenOptions) => Promise<string>;
  /** The token in a secret of the account, as older clusters made them: without an end and an audience. */
  oldTokenOf: (account: Account, claims?: JWTPayload) => Promise<string>;
  /** The account of a token that is valid now for one of the audiences. Throws Error for any other. */
  validate: (token: string, audiences: string[]) => Promise<{ account: Account; audiences: string[] }>;
};

const OLD = 'kubernetes.io/serviceaccount/';

/** Makes a cluster; its API server is started by `startApiServer`. */
export async function makeCluster(): Promise<Cluster> {
  const issuer = 'https://kubernetes.default.svc.cluster.local';
  const key = await makeKey('RS256', 'cluster-1');
  const living = new Set<string>();
  const add = (): string => {
    const uid = randomUUID();
    living.add(uid);
    return uid;
  };
  const addPod = ({ name }: Account): Pod => ({ name: `${name}-0`, uid: add() });
  const sign = (claims: JWTPayload, { alg, kid, privateKey }: Key): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey);
  return {
    issuer,
    pem: () => exportSPKI(key.publicKey),
    addAccount: (namespace, name) => ({ namespace, name, uid: add() }),
    addPod,
    remove: ({ uid }) => void living.delete(uid),
    tokenOf: (
      account,
      { audiences = ['sealift'], expiresIn = 600, claims = {}, key: signing = key, pod } = {},
    ) => {
      const { namespace, name, uid } = account;
      const now = Math.floor(Date.now() / 1000);
      const inside = { namespace, pod: pod ?? addPod(account), serviceaccount: { name, uid } };
      const times = { iat: now, nbf: now, exp: now + expiresIn };
      const sub = `system:serviceaccount:${namespace}:${name}`;
      const usual = {
        aud: audiences,
        iss: issuer,
        ...times,
        jti: randomUUID(),
        'kubernetes.io': inside,
        sub,
      };
      return sign({ ...usual, ...claims }, signing);
    },
    oldTokenOf: ({ namespace, name, uid }, claims = {}) =>
      sign(
        {
          iss: 'kubernetes/serviceaccount',
          [`${OLD}namespace`]: namespace,
          [`${OLD}secret.name`]: `${name}-token`,
          [`${OLD}service-account.name`]: name,
          [`${OLD}service-account.uid`]: uid,
          sub: `system:serviceaccount:${namespace}:${name}`,
          ...claims,
        },
        key,
      ),
    validate: async (token, audiences) => {
      const { payload } = await compactVerify(token, key.publicKey, { algorithms: ['RS256'] });
      const claims = JSON.parse(Buffer.from(payload).toString());
      const inside = claims['kubernetes.io'];
      // A token in a secret is for the API server, without an end.
      const named: string[] = inside ? claims.aud : [issuer];
      const shared = audiences.filter((audience) => named.includes(audience));
      const uid: string = inside?.serviceaccount.uid ?? claims[`${OLD}service-account.uid`];
      const isLiving = living.has(uid) && (!inside || living.has(inside.pod.uid));
      if (shared.length === 0 || !isLiving || (inside && claims.exp * 1000 <= Date.now()))
        throw new Error('invalid bearer token');
      const [, , namespace, name] = String(claims.sub).split(':');
      return { account: { namespace: namespace ?? '', name: name ?? '', uid }, audiences: shared };
    },
  };
}
