import { expect } from 'chai';
import { exportSPKI, SignJWT } from 'jose';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../deploy/local/root.ts';
import { startApiServer } from './auth/api-server.ts';
import { makeCluster } from './auth/cluster.ts';
import { makeKey } from './auth/issuer.ts';
import { startWithMethods } from './auth/support.ts';
import { findHvac } from '../support/hvac.ts';
import type { Sealift } from '../support/sealift.ts';

const run = promisify(execFile);
const script = join(projectRoot, 'test/api/clients-hvac.py');

describe('hvac, unchanged', () => {
  let sealift: Sealift;
  let hvac: string;
  before(async () => {
    hvac = await findHvac();
    sealift = await startWithMethods();
  });
  after(() => sealift?.stop());

  async function outcomeOf(
    story: string,
    more: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      PYTHONPATH: hvac,
      SEALIFT_URL: sealift.url,
      SEALIFT_TOKEN: sealift.token,
      ...more,
    };
    const { stdout } = await run('python3', ['-B', script, story], { env, timeout: 60_000 });
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it('hvac writes, patches, deletes, takes back and destroys versions of a secret', async () => {
    expect(await outcomeOf('versions')).to.deep.equal({
      latest: { a: '1', b: '2' },
      custom_metadata: { team: 'red' },
      deleted: null,
      raised: 'InvalidPath',
      destroyed: true,
      listed: ['app'],
      wrong_cas: [
        ['InvalidRequest', 'check-and-set parameter did not match the current version'],
        [
          'InvalidRequest',
          'error parsing check-and-set parameter: a negative one did not match the current version',
        ],
      ],
    });
  });

  it('hvac mounts a store without versions, moves, tunes and drops it', async () => {
    expect(await outcomeOf('mounts')).to.deep.equal({
      read: { a: '1' },
      listed: ['y'],
      default_lease_ttl: 3600,
      gone: 'InvalidPath',
    });
  });

  it('hvac writes policies in HCL and in JSON, and they hold', async () => {
    expect(await outcomeOf('policies')).to.deep.equal({
      text: '# may read\npath "secret/data/py/*" {\n  capabilities = ["read"]\n}\n',
      listed: ['py', 'py-acl'],
      capabilities: ['read'],
      read: { a: '1' },
      refused: ['Forbidden', 'permission denied'],
    });
  });

  it('hvac makes tokens by a role, looks them up, renews, revokes and tidies them', async () => {
    expect(await outcomeOf('tokens')).to.deep.equal({
      path: 'auth/token/create/py/py',
      period: 3600,
      policies: ['default'],
      revoked: 'Forbidden',
      unknown_accessor: 'InvalidRequest',
      roles: ['py'],
    });
  });

  it('hvac lists, reads policies as they were written, and keeps values of its own token', async () => {
    const text = 'path "a" { capabilities = ["read"] }';
    expect(await outcomeOf('plain_paths')).to.deep.equal({
      listed: { keys: ['app'] },
      policy: { name: 'py-exact', rules: text },
      acl_policy: { name: 'py-exact', policy: text },
      kept: { a: '1' },
      kept_names: { keys: ['app'] },
      of_others: null,
      mount: 2_764_800,
      renewed: ['InvalidRequest', 'lease is not renewable'],
      tidied: null,
      deleted: null,
    });
  });

  it('hvac wraps and unwraps answers once', async () => {
    expect(await outcomeOf('wrapping')).to.deep.equal({
      plain: { a: '1' },
      again: ['InvalidRequest', 'wrapping token is not valid or does not exist'],
      hidden: null,
      policies: ['default'],
    });
  });

  it('hvac enables AppRole, makes roles and secret ids, and logs in', async () => {
    expect(await outcomeOf('approle')).to.deep.equal({
      enabled: 'approle',
      tuned: 1200,
      roles: ['web'],
      metadata: { host: 'a', role_name: 'web' },
      lease_duration: 1200,
      name: 'py-approle-web',
      found: { host: 'a' },
      by_accessor: { host: 'b' },
      listed: 2,
      wrong: ['InvalidRequest', 'invalid role or secret ID'],
      tidied: 202,
      destroyed: 'InvalidPath',
    });
  });

  it('hvac configures a cluster, makes a role, and logs in as a pod', async () => {
    const cluster = await makeCluster();
    const server = await startApiServer(cluster);
    const reviewer = cluster.addAccount('sealift', 'reviewer');
    server.allow(reviewer);
    const given = {
      CLUSTER_URL: server.url,
      CLUSTER_CA: server.ca,
      CLUSTER_KEY: await cluster.pem(),
      CLUSTER_ISSUER: cluster.issuer,
      REVIEWER_TOKEN: await cluster.oldTokenOf(reviewer),
      POD_TOKEN: await cluster.tokenOf(cluster.addAccount('shop', 'api')),
      OTHER_TOKEN: await cluster.tokenOf(cluster.addAccount('shop', 'web')),
    };
    try {
      expect(await outcomeOf('kubernetes', given)).to.deep.equal({
        host: true,
        reviewer: [true, null],
        roles: ['web'],
        namespaces: ['shop', 'shop-*'],
        account: 'api',
        lease_duration: 600,
        name: 'py-kubernetes-shop-api',
        wrong: ['Forbidden', 'service account name not authorized'],
        local: true,
      });
    } finally {
      await server.stop();
    }
  });

  it('hvac configures an issuer, makes a role, and logs in with a token', async () => {
    const { kid, privateKey, publicKey } = await makeKey('ES256', 'py');
    const token = await new SignJWT({ iss: 'https://ci.example', sub: 'job' })
      .setProtectedHeader({ alg: 'ES256', kid })
      .setExpirationTime('5m')
      .sign(privateKey);
    const given = { ISSUER_KEY: await exportSPKI(publicKey), ISSUER_TOKEN: token };
    expect(await outcomeOf('jwt', given)).to.deep.equal({
      issuer: 'https://ci.example',
      roles: ['ci'],
      subject: 'job',
      metadata: { role: 'ci' },
      lease_duration: 600,
      name: 'py-jwt-job',
    });
  });
});
