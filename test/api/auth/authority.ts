import { generate } from 'selfsigned';

/** An authority of a cluster: its certificate, and one for 127.0.0.1 that it has issued. All have one name. */
export type Authority = { ca: string; issued: { cert: string; key: string } };

/** Makes one with keys of its own. */
export async function makeAuthority(): Promise<Authority> {
  const own = await generate([{ name: 'commonName', value: 'kubernetes' }], {
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', keyCertSign: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: 'kube-apiserver' }], {
    algorithm: 'sha256',
    ca: { key: own.private, cert: own.cert },
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  return { ca: own.cert, issued: { cert: leaf.cert, key: leaf.private } };
}
