import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ConfigError, loadConfig } from '../../../libs/config/config.ts';
import { startApi } from '../../../services/api/start.ts';
import {
  createCertificate,
  createCertificateUntil,
  type Certificate,
} from '../../settings/support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('an API that serves https itself', () => {
  let sealift: Sealift;
  let folder: string;
  let port: number;
  let first: Certificate;
  const files = () => ({ TLS_CERT_FILE: join(folder, 'tls.crt'), TLS_KEY_FILE: join(folder, 'tls.key') });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealift-tls-'));
    first = await createCertificate('first.test');
    await store(first);
    sealift = await startSealift();
    await sealift.start('worker', async (context) => {
      const api = await startApi({ ...context, config: { ...context.config, ...files() } });
      port = api.port;
      return api;
    });
  });

  after(async () => {
    await sealift.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function store({ cert, key }: Certificate): Promise<void> {
    await writeFile(files().TLS_CERT_FILE, cert);
    await writeFile(files().TLS_KEY_FILE, key);
  }

  /** Sends a request over a new connection. `name` is the name in the server's certificate. */
  function ask(method: string, path: string): Promise<{ status: number; body: string; name: string }> {
    return new Promise((resolve, reject) => {
      const request = https.request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          agent: false,
          rejectUnauthorized: false,
          headers: { 'x-vault-token': sealift.token },
        },
        (response) => {
          const name = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
          text(response).then(
            (body) => resolve({ status: response.statusCode ?? 0, body, name: String(name) }),
            reject,
          );
        },
      );
      request.once('error', reject);
      request.end();
    });
  }

  it('requests are answered over TLS, those with the method LIST too', async () => {
    const read = await ask('GET', '/v1/auth/token/lookup-self');
    expect(read).to.include({ status: 200, name: 'first.test' });
    expect((await ask('LIST', '/v1/sys/policies/acl')).body).to.contain('default');
  });

  it('plain http gets no answer at the port of https', async () => {
    const refusal = await fetch(`http://127.0.0.1:${port}/v1/sys/health`).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(TypeError);
  });

  it('the status tells that the certificate has ended or ends soon, which no caller would accept', async () => {
    const soon = new Date(Date.now() + 5 * 86_400_000);
    const past = new Date('2021-01-01T00:00:00Z');
    for (const [end, state, detail] of [
      [soon, 'warning', `ends on ${soon.toISOString().slice(0, 10)}`],
      [past, 'failed', 'ended on 2021-01-01'],
      [new Date(Date.now() + 100 * 86_400_000), 'ok', 'is valid until'],
    ] as const) {
      await writeFile(files().TLS_CERT_FILE, (await createCertificateUntil('first.test', end)).cert);
      await eventually(async () => {
        const { findings } = JSON.parse((await ask('GET', '/v1/sys/status')).body).data as {
          findings: { check: string; state: string; detail: string }[];
        };
        const found = findings.find(({ check }) => check === 'TLS certificate');
        expect(found?.detail).to.contain(detail);
        return expect(found?.state).to.equal(state);
      });
    }
    await store(first);
  });

  it('a replaced certificate is used by the next connection, and a broken one changes nothing', async () => {
    await store({ ...first, cert: 'no certificate' });
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect((await ask('GET', '/v1/sys/health')).name).to.equal('first.test');
    await store(await createCertificate('second.test'));
    await eventually(async () => (await ask('GET', '/v1/sys/health')).name === 'second.test');
  });

  it('files that cannot be used are refused at the start, with what to do', async () => {
    const config = {
      ...sealift.config,
      TLS_CERT_FILE: join(folder, 'none'),
      TLS_KEY_FILE: files().TLS_KEY_FILE,
    };
    const refusal = await startApi({ ...sealift.context, config }).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(ConfigError);
    expect(String(refusal)).to.contain('ENOENT').and.to.contain('PEM');
    const half = () => loadConfig({ ...sealift.environment, TLS_CERT_FILE: 'tls.crt' });
    expect(half).to.throw('set both or neither');
  });
});
