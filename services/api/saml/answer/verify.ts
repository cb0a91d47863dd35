import type { Database } from '../../../../libs/db/connect.ts';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { claimAssertion, type ClaimedRequest } from '../../../../libs/store/settings/saml.ts';
import type { SamlSettings } from '../../../../libs/settings/saml.ts';
import { samlAddresses } from '../../presenters/settings.ts';
import type { ApiServices } from '../../services.ts';
import type { Assertion, Confirmation } from './assertion.ts';
import { CLOCK_SKEW_MS, providerOptions } from '../provider.ts';
import { refuseLogin } from '../refuse-login.ts';
import { scanXml } from './scan-xml.ts';
import type { VerifiedXml } from './thread.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * A verified assertion, the XML it came in, the request of ours that it answers, and the hash of the nonce of the browser that
 * gets a session, if one does.
 */
export type VerifiedAnswer = ClaimedRequest & {
  assertion: Assertion;
  responseXml: string;
  requestId: string | undefined;
};

type EncodedAnswer = { encoded: string; address: string };

/**
 * Verifies an answer of the identity provider: it is signed with the present or the old certificate, is meant for us, is
 * in time, answers a request of ours if it names one, and was never used before. Throws 401 with the reason, 400 or 413
 * if its XML exceeds a limit, 429 if its address has too many others, and 503 if it cannot be verified now.
 */
export async function verifyResponse(
  services: ApiServices,
  settings: SamlSettings,
  answer: EncodedAnswer,
): Promise<VerifiedAnswer> {
  const { config, db } = services;
  const responseXml = Buffer.from(answer.encoded, 'base64').toString('utf8');
  scanXml(responseXml);
  const { assertion, inResponseTo, destination } = await verifySignature(services, settings, answer);
  const { consumer } = samlAddresses(config);
  // The destination of the outermost element is not always signed. Checking it helps a user who took a wrong turn; it is
  // not a safeguard.
  if (destination !== undefined && destination !== consumer)
    return refuseLogin('it is for another service', 'recipient');
  const confirmation = findConfirmation(assertion, consumer);
  const claimed = await claim(db, assertion, confirmation, inResponseTo);
  return { assertion, responseXml, requestId: confirmation.inResponseTo, ...claimed };
}

/** Whether a verified answer is signed with the old certificate, and not with the present one. */
export async function needsFormerCertificate(
  services: ApiServices,
  settings: SamlSettings,
  answer: EncodedAnswer,
): Promise<boolean> {
  if (settings['old-idp-cert'] === null) return false;
  try {
    await verifySignature(services, { ...settings, 'old-idp-cert': null }, answer);
    return false;
  } catch (error) {
    if (error instanceof RequestError && error.code === 'saml_refused') return true;
    throw error;
  }
}

function verifySignature(
  { config, samlVerifier }: ApiServices,
  settings: SamlSettings,
  { encoded, address }: EncodedAnswer,
): Promise<VerifiedXml> {
  const options = providerOptions(settings, config);
  const task = { encoded, options, acceptsSha1: settings['accept-sha1-signatures'] };
  return samlVerifier.verify(task, address);
}

function findConfirmation({ confirmations }: Assertion, consumer: string): Confirmation {
  const bearers = confirmations.filter(({ method }) => method === BEARER);
  const ours = bearers.filter(({ recipient }) => recipient === consumer);
  if (ours.length === 0) return refuseLogin('it is for another service', 'recipient');
  return ours.find(isInTime) ?? refuseLogin('it is expired or not yet valid', 'time');
}

function isInTime({ notBefore, notOnOrAfter }: Confirmation): boolean {
  const now = Date.now();
  const end = Date.parse(notOnOrAfter ?? '');
  const start = notBefore === undefined ? 0 : Date.parse(notBefore);
  return now - CLOCK_SKEW_MS < end && now + CLOCK_SKEW_MS >= start;
}

// The signed part decides which request is answered. The envelope around it must not name another one.
async function claim(
  db: Database,
  { id }: Assertion,
  { inResponseTo, notOnOrAfter }: Confirmation,
  answered: string | undefined,
): Promise<ClaimedRequest> {
  if (id === '') return refuseLogin('it has no id');
  if (answered !== undefined && answered !== inResponseTo)
    return refuseLogin('it belongs to another request');
  // Our clock decides how long we accept the assertion, and the clock of Postgres how long we remember it. These two
  // clocks may differ as well, so we add the skew twice.
  const expiresAt = new Date(Date.parse(notOnOrAfter ?? '') + 2 * CLOCK_SKEW_MS);
  const claimed = await claimAssertion(db, { assertionId: id, expiresAt, requestId: inResponseTo });
  if (claimed === 'replayed') return refuseLogin('it was already used');
  if (claimed === 'unasked')
    return refuseLogin('it belongs to no open login request of this service: start the login again');
  return claimed;
}
