import { expect } from 'chai';
import type { Sealift } from '../../support/sealift.ts';
import { startIssuer } from './issuer.ts';
import { done, refusal, startWithMethods } from './support.ts';

type Workload = {
  name: string;
  alg?: string;
  path: string;
  role: object;
  /** Claims of a token that logs in, and what makes another one of it. */
  claims: Record<string, unknown>;
  others: Record<string, unknown>[];
  user: string;
};

const AWS = 'https://sts.amazonaws.com/';

// Each issuer has the form of the real one; docs/auth-methods.md shows these roles.
const WORKLOADS: Workload[] = [
  {
    name: 'a job of GitHub Actions',
    path: '/github',
    role: {
      user_claim: 'repository',
      bound_audiences: 'sealift',
      bound_claims: { repository_id: '42', ref: 'refs/heads/main' },
    },
    claims: {
      aud: 'sealift',
      sub: 'repo:octo@1/shop@42:ref:refs/heads/main',
      repository: 'octo/shop',
      repository_id: '42',
      ref: 'refs/heads/main',
    },
    others: [{ repository_id: '43' }, { ref: 'refs/pull/7/merge' }, { aud: 'https://github.com/octo' }],
    user: 'octo/shop',
  },
  {
    name: 'a pod of a Kubernetes cluster',
    path: '/cluster',
    role: { user_claim: 'sub', bound_audiences: 'sealift', bound_subject: 'system:serviceaccount:shop:api' },
    claims: {
      aud: ['sealift'],
      sub: 'system:serviceaccount:shop:api',
      'kubernetes.io': { namespace: 'shop', serviceaccount: { name: 'api', uid: 'u-1' } },
    },
    others: [{ sub: 'system:serviceaccount:shop:web' }, { aud: ['https://kubernetes.default.svc'] }],
    user: 'system:serviceaccount:shop:api',
  },
  {
    name: 'a role of AWS',
    alg: 'ES384',
    path: '/0f3a91c2-5d0e-4b55-9a0e-3c8f6f0f2b11',
    role: {
      user_claim: 'sub',
      bound_audiences: 'sealift',
      bound_subject: 'arn:aws:iam::123456789012:role/shop',
      bound_claims: { '/https:~1~1sts.amazonaws.com~1/aws_account': '123456789012' },
    },
    claims: {
      aud: ['other', 'sealift'],
      sub: 'arn:aws:iam::123456789012:role/shop',
      [AWS]: { aws_account: '123456789012', source_region: 'eu-west-1' },
    },
    others: [{ sub: 'arn:aws:iam::123456789012:role/other' }, { [AWS]: { aws_account: '210987654321' } }],
    user: 'arn:aws:iam::123456789012:role/shop',
  },
  {
    name: 'a managed identity of Azure',
    // The issuer of tokens of version 1 ends in a slash.
    path: '/3c8f6f0f-2b11-4b55-9a0e-0f3a91c25d0e/',
    role: { user_claim: 'oid', bound_audiences: 'api://sealift', bound_claims: { oid: 'o-1', tid: 't-1' } },
    claims: { aud: 'api://sealift', oid: 'o-1', tid: 't-1', sub: 'o-1' },
    others: [{ oid: 'o-2' }, { tid: 't-2' }],
    user: 'o-1',
  },
  {
    name: 'a machine of Google',
    path: '/google',
    role: {
      user_claim: 'email',
      bound_audiences: 'sealift',
      bound_claims: { email: 'shop@p.iam.gserviceaccount.com', '/google/compute_engine/project_id': 'p' },
    },
    claims: {
      aud: 'sealift',
      email: 'shop@p.iam.gserviceaccount.com',
      google: { compute_engine: { project_id: 'p', instance_id: '1' } },
    },
    others: [{ email: 'x@p.iam.gserviceaccount.com' }, { google: { compute_engine: { project_id: 'q' } } }],
    user: 'shop@p.iam.gserviceaccount.com',
  },
];

describe('workloads that log in with the token of their platform', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startWithMethods();
  });
  after(() => sealift.stop());

  for (const [index, { name, alg, path, role, claims, others, user }] of WORKLOADS.entries())
    it(`${name} logs in, and no other one does`, async () => {
      const { client } = sealift;
      const issuer = await startIssuer({ path, ...(alg ? { alg } : {}) });
      try {
        const mount = `platform-${index}`;
        await done(client.post(`/v1/sys/auth/${mount}`, { type: 'jwt' }));
        await done(client.post(`/v1/auth/${mount}/config`, { oidc_discovery_url: issuer.url }));
        await done(client.post(`/v1/auth/${mount}/role/shop`, { token_policies: 'app', ...role }));
        const logIn = async (changes: object) =>
          client.post(
            `/v1/auth/${mount}/login`,
            { role: 'shop', jwt: await issuer.sign({ ...claims, ...changes }) },
            { token: null },
          );
        const { auth } = (await done(logIn({}))).body;
        const own = await client.get('/v1/auth/token/lookup-self', { token: auth.client_token });
        expect(own.body.data.display_name).to.equal(`${mount}-${user}`);
        for (const changes of others)
          expect((await refusal(logIn(changes)))[1], JSON.stringify(changes)).to.include(
            'error validating claims',
          );
      } finally {
        await issuer.stop();
      }
    });
});
