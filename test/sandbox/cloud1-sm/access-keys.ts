import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { FakeRequest } from '../contract.ts';
import { missingToken, signatureExpired, unrecognizedClient, wrongSignature } from './vendor-error.ts';

// As the vendor allows.
const MOST_SKEW_MS = 5 * 60_000;
const SERVICE = 'secretsmanager';
const AUTHORIZATION = new RegExp(
  `^AWS4-HMAC-SHA256 Credential=([^/\\s]+)/(\\d{8})/([^/]+)/${SERVICE}/aws4_request, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$`,
);

/** The keys that were given out before a fake starts. */
const GIVEN_OUT: [string, string][] = [
  ['AKIATEST', 'wJalr-secret'],
  ['AKIAEXAMPLEONE', 'a-secret-key'],
  ['AKIAEXAMPLETWO', 'another-secret-key'],
  ['AKIADEMO0000000000', 'demo-secret-access-key'],
];

export type AccessKeys = ReturnType<typeof createAccessKeys>;

/** Gives out access keys and judges what is signed with them, by Signature Version 4. */
export function createAccessKeys() {
  let secrets = new Map(GIVEN_OUT);
  return {
    /** From now on this key is good, and with no other secret. */
    give: (accessKeyId: string, secret: string): void => void secrets.set(accessKeyId, secret),
    revoke: (accessKeyId: string): void => void secrets.delete(accessKeyId),
    reset: (): void => void (secrets = new Map(GIVEN_OUT)),
    /** Whose request it is, and for which region. Throws what the vendor answers where it is not to be trusted. */
    async authenticate(request: FakeRequest, now: number): Promise<{ accessKeyId: string; region: string }> {
      const { authorization = '' } = request.headers;
      const [, accessKeyId, , region, signed] = AUTHORIZATION.exec(authorization) ?? [];
      if (!accessKeyId || !region || !signed) throw missingToken();
      const secret = secrets.get(accessKeyId);
      if (secret === undefined) throw unrecognizedClient();
      const at = parseDate(String(request.headers['x-amz-date']));
      const expected = await sign(request, { accessKeyId, secret, region, at, signed: signed.split(';') });
      if (expected !== authorization) throw wrongSignature();
      if (Math.abs(at.getTime() - now) > MOST_SKEW_MS) throw signatureExpired();
      return { accessKeyId, region };
    },
  };
}

/** The header `authorization` of a request, as the vendor's own SDK makes it. */
export async function sign(
  { method, path, headers, body }: Pick<FakeRequest, 'method' | 'path' | 'headers' | 'body'>,
  key: { accessKeyId: string; secret: string; region: string; at: Date; signed: string[] },
): Promise<string> {
  const signer = new SignatureV4({
    service: SERVICE,
    region: key.region,
    credentials: { accessKeyId: key.accessKeyId, secretAccessKey: key.secret },
    sha256: Sha256,
    applyChecksum: key.signed.includes('x-amz-content-sha256'),
  });
  const chosen = Object.fromEntries(key.signed.map((name) => [name, String(headers[name] ?? '')]));
  const request = { method, protocol: 'http:', hostname: '', path, query: {}, headers: chosen, body };
  const signed = await signer.sign(request, {
    signingDate: key.at,
    signableHeaders: new Set(key.signed),
  });
  return signed.headers['authorization'] ?? '';
}

// `20260102T030405Z`.
function parseDate(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
