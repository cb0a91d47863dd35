import type { Database } from '../../../libs/db/connect.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import { claimAssertion, type Claimed } from '../../../libs/store/settings/saml.ts';
import type { SamlSettings } from '../../../libs/settings/saml.ts';
import { samlAddresses } from '../presenters/settings.ts';
import type { ApiServices } from '../services.ts';
import { readAssertion, type Assertion, type Confirmation } from './assertion.ts';
import { CLOCK_SKEW_MS, createProvider } from './provider.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** A verified assertion, the XML it came in, and the hash of the nonce of the browser that gets a session, if one does. */
export type Verified = { assertion: Assertion; responseXml: string; nonceHash: Buffer | null };

/**
 * Verifies the answer of the identity provider: it is signed with the present or the old certificate, is meant for us,
 * is in time, answers a request of ours if it names one, and was never used before. Throws 401 with the reason.
 */
export async function verifyResponse(
  services: ApiServices,
  settings: SamlSettings,
  encoded: string,
): Promise<Verified> {
  const { config, db } = services;
  const responseXml = Buffer.from(encoded, 'base64').toString('utf8');
  refuseAmbiguous(responseXml);
  const provider = await createProvider(settings, config);
  const { profile } = await provider
    .validatePostResponseAsync({ SAMLResponse: encoded })
    .catch((error: unknown) => refuseLogin(reasonOf(error)));
  const xml = profile?.getAssertionXml?.();
  if (!profile || !xml) return refuseLogin('it contains no assertion');
  refuseAmbiguous(xml);

  const assertion = readAssertion(profile.getAssertion?.());
  const { consumer } = samlAddresses(config);
  const destination = destinationOf(responseXml);
  if (destination !== undefined && destination !== consumer) {
    return refuseLogin('it is for another service');
  }
  const confirmation = findConfirmation(assertion, consumer);
  const answered = profile['inResponseTo'];
  const claimed = await claim(
    db,
    assertion,
    confirmation,
    typeof answered === 'string' ? answered : undefined,
  );
  return { assertion, responseXml, nonceHash: claimed.nonceHash };
}

/** Throws 401. The reason tells the kind of fault, never what was in the message. */
export function refuseLogin(reason: string): never {
  throw new RequestError(401, 'saml_refused', [`the identity provider's answer was refused: ${reason}`]);
}

// A signature does not cover comments, so with a comment in a name, a reader could take a part of the name for all of
// it. A document type could define entities. We accept neither.
function refuseAmbiguous(xml: string): void {
  const body = xml.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '');
  if (/<!(?!\[CDATA\[)|<\?/.test(body))
    refuseLogin('it contains comments, declarations or processing instructions');
}

// The destination of the outermost element, which is not always signed. Checking it helps a user who took a wrong turn;
// it is not a safeguard.
function destinationOf(xml: string): string | undefined {
  return /^[^<]*(?:<\?[^>]*>[^<]*)?<[^>]*\sDestination=["']([^"'>]+)["']/.exec(xml)?.[1];
}

function findConfirmation({ confirmations }: Assertion, consumer: string): Confirmation {
  const bearers = confirmations.filter(({ method }) => method === BEARER);
  const ours = bearers.filter(({ recipient }) => recipient === consumer);
  if (ours.length === 0) return refuseLogin('it is for another service');
  return ours.find(isInTime) ?? refuseLogin('it is expired or not yet valid');
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
): Promise<Claimed> {
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

// The library's errors differ only in their texts. So we use the texts for what people read, and decide nothing by them.
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/expired|not yet valid|too old/.test(message)) return 'it is expired or not yet valid';
  if (/audience/i.test(message)) return 'it is for another service';
  if (/provider returned/.test(message)) return 'the identity provider reported a failure';
  return 'it is not well formed or not signed by the identity provider';
}
