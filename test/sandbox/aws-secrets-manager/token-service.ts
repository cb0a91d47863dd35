import { randomBytes, randomUUID } from 'node:crypto';
import type { FakeReply, FakeRequest } from '../fake-server.ts';
import { verifyIdentityToken, type VerifiedToken } from '../identity-token.ts';
import { textsOf, tokenTrustOf, type Trust } from '../trust.ts';
import { VendorError } from './vendor-error.ts';

/** Whom a role trusts: an issuer of tokens with these claims, or callers with an access key. */
export type RoleTrust =
  { issuer: string; audience: string; subject: string } | { externalId?: string; sessionName?: string };

/** `sessionMs`: how long its sessions last; by default as long as asked for. */
export type Role = { arn: string; trust: RoleTrust; sessionMs?: number };

type AssumedSession = {
  secretAccessKey: string;
  sessionToken: string;
  expiresAt: number;
  role: Role;
  name: string;
};

/** Roles, and sessions with them, by access key id. */
export type TokenService = {
  addRole: (role: Role) => void;
  sessionOf: (accessKeyId: string) => AssumedSession | undefined;
  /** The names of all sessions that were made. */
  sessionNames: () => string[];
  /** The identity tokens that were sent, and the secrets of all sessions. */
  secrets: () => string[];
  /** `signer`: throws unless the call is signed by a valid access key. */
  handle: (request: FakeRequest, signer: () => Promise<unknown>) => Promise<FakeReply>;
  reset: () => void;
};

const VERSION = '2011-06-15';
const NAMESPACE = `https://sts.amazonaws.com/doc/${VERSION}/`;

/** Whether a request is one to this service. Others are JSON. */
export function isTokenCall({ headers }: FakeRequest): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
}

/** The name of a call. */
export function actionOf({ body }: FakeRequest): string {
  return new URLSearchParams(body.toString()).get('Action') ?? 'unknown';
}

/** AWS Security Token Service. */
export function createTokenService(now: () => number): TokenService {
  const roles = new Map<string, Role>();
  const sessions = new Map<string, AssumedSession>();
  const received: string[] = [];

  async function assume(form: URLSearchParams, signer: () => Promise<unknown>): Promise<string> {
    const action = form.get('Action') ?? '';
    if (form.get('Version') !== VERSION) throw new VendorError('InvalidAction', 'Unknown version');
    const name = form.get('RoleSessionName') ?? '';
    if (!/^[\w+=,.@-]{2,64}$/.test(name)) throw new VendorError('ValidationError', 'roleSessionName');
    const role = roles.get(form.get('RoleArn') ?? '');
    if (action === 'AssumeRoleWithWebIdentity') await requireToken(form.get('WebIdentityToken') ?? '', role);
    else if (action === 'AssumeRole') {
      await signer();
      requireExternalId(form, role);
    } else throw new VendorError('InvalidAction', `Could not find operation ${action}`);
    if (!role) throw denied(action);
    const seconds = Number(form.get('DurationSeconds') ?? 3600);
    if (!(seconds >= 900 && seconds <= 3600)) throw new VendorError('ValidationError', 'durationSeconds');
    return begin(action, role, name, role.sessionMs ?? seconds * 1000);
  }

  async function requireToken(token: string, role: Role | undefined): Promise<void> {
    received.push(token);
    const trusts = [...roles.values()].flatMap(({ trust }) => ('issuer' in trust ? [trust] : []));
    const verified = await verifyIdentityToken(
      token,
      trusts.map(({ issuer }) => issuer),
    );
    if ('fault' in verified) throw refusal(verified);
    const { iss, aud, sub } = verified.claims;
    // A provider of the account knows the audience; the trust policy of the role compares both.
    if (!trusts.some(({ issuer, audience }) => issuer === iss && audience === aud))
      throw new VendorError('InvalidIdentityToken', 'Incorrect token audience');
    const trust = role?.trust;
    const fits = trust && 'issuer' in trust && trust.issuer === iss && trust.audience === aud;
    if (!fits || trust.subject !== sub) throw denied('AssumeRoleWithWebIdentity');
  }

  function begin(action: string, role: Role, name: string, milliseconds: number): string {
    const accessKeyId = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`;
    const session = {
      secretAccessKey: randomBytes(20).toString('hex'),
      sessionToken: randomBytes(64).toString('base64url'),
      expiresAt: now() + milliseconds,
      role,
      name,
    };
    sessions.set(accessKeyId, session);
    const expiration = new Date(session.expiresAt).toISOString();
    return `<${action}Response xmlns="${NAMESPACE}"><${action}Result><AssumedRoleUser><Arn>${role.arn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${name}</Arn><AssumedRoleId>AROA:${name}</AssumedRoleId></AssumedRoleUser><Credentials><AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${session.secretAccessKey}</SecretAccessKey><SessionToken>${session.sessionToken}</SessionToken><Expiration>${expiration}</Expiration></Credentials></${action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`;
  }

  return {
    addRole: (role) => void roles.set(role.arn, role),
    sessionOf: (accessKeyId) => sessions.get(accessKeyId),
    sessionNames: () => [...sessions.values()].map(({ name }) => name),
    secrets: () => [
      ...received,
      ...[...sessions.values()].flatMap(({ secretAccessKey, sessionToken }) => [
        secretAccessKey,
        sessionToken,
      ]),
    ],
    async handle(request, signer) {
      const form = new URLSearchParams(request.body.toString());
      try {
        return xml(200, await assume(form, signer));
      } catch (error) {
        if (error instanceof VendorError) return toXmlError(error);
        throw error;
      }
    },
    reset() {
      roles.clear();
      sessions.clear();
      received.length = 0;
    },
  };
}

/** The service's reply for an error. */
export function toXmlError({ code, message, status }: VendorError): FakeReply {
  return xml(
    status,
    `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

function xml(status: number, body: string): FakeReply {
  return { status, headers: { 'content-type': 'text/xml' }, body };
}

function requireExternalId(form: URLSearchParams, role: Role | undefined): void {
  const trust = role?.trust;
  const isTrusted =
    trust !== undefined &&
    !('issuer' in trust) &&
    trust.externalId === (form.get('ExternalId') ?? undefined) &&
    (trust.sessionName === undefined || trust.sessionName === form.get('RoleSessionName'));
  if (!isTrusted) throw denied('AssumeRole');
}

/**
 * The role that a trust describes: for identity tokens, or for callers with an access key and an external ID. Throws
 * TrustError.
 */
export function roleOf(given: Trust): Role {
  if (!Object.hasOwn(given, 'external_id')) {
    const { holder: arn, ...trust } = tokenTrustOf(given);
    return { arn, trust };
  }
  const { holder: arn, external_id: externalId } = textsOf(given, ['holder', 'external_id']);
  return { arn, trust: { externalId } };
}

function denied(action: string): VendorError {
  return new VendorError('AccessDenied', `Not authorized to perform sts:${action}`, 403);
}

function refusal({ fault, claim = '' }: Extract<VerifiedToken, { fault: unknown }>): VendorError {
  if (fault === 'expired') return new VendorError('ExpiredTokenException', 'Token expired');
  if (fault === 'unreachable')
    return new VendorError('IDPCommunicationError', 'Could not reach the identity provider');
  return new VendorError('InvalidIdentityToken', `The token is not valid (${`${fault} ${claim}`.trim()})`);
}
