import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import type { FakeRequest } from '../fake-server.ts';
import * as refusals from './vendor-error.ts';

/** Who signed a call, and for which region. */
export type Signer = { accessKeyId: string; region: string };

type Judge = {
  /** The secret of a valid access key; undefined for others. */
  secretOf: (accessKeyId: string) => string | undefined;
  /** The token that goes with an access key of a session; undefined for other keys. Throws for a session that is over. */
  sessionTokenOf?: (accessKeyId: string) => string | undefined;
  /** The service's time. */
  now: number;
  /** The service name that signatures must use. */
  service?: string;
};

const SERVICE = 'secretsmanager';
const CHECKSUM = 'x-amz-content-sha256';
const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/\s]+)\/(\d{8})\/([^/\s]+)\/([a-z]+)\/aws4_request, *SignedHeaders=([^,\s]+), *Signature=(\S+)$/;
// The vendor's own limit.
const MOST_SKEW_MS = 5 * 60_000;

/** Checks a call's key, time and signature over the whole request. Throws AWS' error for a bad one. */
export async function verify(
  request: FakeRequest,
  { secretOf, sessionTokenOf, now, service = SERVICE }: Judge,
): Promise<Signer> {
  const { authorization } = request.headers;
  if (authorization === undefined) throw refusals.notSigned();
  const [, accessKeyId, day, region, named, list, signature] = HEADER.exec(authorization) ?? [];
  const date = String(request.headers['x-amz-date'] ?? '');
  if (!accessKeyId || !region || !list || named !== service || !date.startsWith(`${day}T`))
    throw refusals.incompleteSignature();
  const secretAccessKey = secretOf(accessKeyId);
  if (
    secretAccessKey === undefined ||
    request.headers['x-amz-security-token'] !== sessionTokenOf?.(accessKeyId)
  )
    throw refusals.unrecognizedClient();
  const signedAt = readTime(date);
  if (!(Math.abs(signedAt - now) <= MOST_SKEW_MS)) throw refusals.signatureExpired();
  const signed = list.split(';');
  requireSigned(request, signed);
  const signer = createSigner(region, { accessKeyId, secretAccessKey }, signed.includes(CHECKSUM), service);
  const { headers } = await signer.sign(rebuild(request, signed), {
    signingDate: new Date(signedAt),
    signableHeaders: new Set(signed),
  });
  if (/Signature=(\S+)$/.exec(headers['authorization'] ?? '')?.[1] !== signature)
    throw refusals.wrongSignature();
  return { accessKeyId, region };
}

/** Makes a signer for calls to a region, like the vendor's clients. With `checksum` it signs a header with the body hash. */
export function createSigner(
  region: string,
  credentials: { accessKeyId: string; secretAccessKey: string },
  checksum: boolean,
  service = SERVICE,
): SignatureV4 {
  return new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum: checksum });
}

function requireSigned({ headers }: FakeRequest, signed: string[]): void {
  const needed = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  const missing = needed.filter((name) => !signed.includes(name));
  if (missing.length > 0) throw refusals.unsignedHeaders(missing);
}

// Ignores the client's own hash of the body, and computes the hash from the received body.
function rebuild({ method, path, query, headers, body }: FakeRequest, signed: string[]) {
  const kept = signed.filter((name) => name !== CHECKSUM && headers[name] !== undefined);
  return {
    protocol: 'http:',
    hostname: '',
    method,
    path,
    query: Object.fromEntries(query),
    headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])),
    body,
  };
}

// Parses `20260102T030405Z`; NaN for anything else.
function readTime(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
