import type { Database } from '../../../libs/db/connect.ts';
import { RequestError } from '../../../libs/errors/request-error.ts';
import { claimAssertion, type Claimed } from '../../../libs/store/settings/saml.ts';
import type { SamlSettings } from '../../../libs/settings/saml.ts';
import { samlAddresses } from '../presenters/settings.ts';
import type { ApiServices } from '../services.ts';
import { readAssertion, type Assertion, type Confirmation } from './assertion.ts';
import { CLOCK_SKEW_MS, createProvider } from './provider.ts';

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** An assertion that may be believed, the XML it came in, and which browser is to get a session by it, if one is. */
export type Verified = { assertion: Assertion; responseXml: string; nonceHash: Buffer | null };

/**
 * Verifies the answer of the identity provider: signed with the present or the old certificate, for us, in time, asked
 * for where it says so, and never used before. Throws 401 with the reason.
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
  if (!profile || !xml) return refuseLogin('it holds no assertion');
  refuseAmbiguous(xml);

  const assertion = readAssertion(profile.getAssertion?.());
  const { consumer } = samlAddresses(config);
  const destination = destinationOf(responseXml);
  if (destination !== undefined && destination !== consumer) {
    return refuseLogin('it is addressed to somebody else');
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

/** 401; the reason says what kind of fault it is, never what was in the message. */
export function refuseLogin(reason: string): never {
  throw new RequestError(401, 'saml_refused', [`the identity provider's answer was refused: ${reason}`]);
}

// A signature does not cover comments, so a comment in a name could cut it short for whoever reads it piecewise. A
// document type could define entities. Neither has a place here.
function refuseAmbiguous(xml: string): void {
  const body = xml.replace(/^\uFEFF?\s*<\?xml[^>]*\?>/, '');
  if (/<!(?!\[CDATA\[)|<\?/.test(body))
    refuseLogin('it holds comments, declarations or processing instructions');
}

// The outermost element's, which is not always signed: a courtesy to whoever took a wrong turn, not a safeguard.
function destinationOf(xml: string): string | undefined {
  return /^[^<]*(?:<\?[^>]*>[^<]*)?<[^>]*\sDestination=["']([^"'>]+)["']/.exec(xml)?.[1];
}

function findConfirmation({ confirmations }: Assertion, consumer: string): Confirmation {
  const bearers = confirmations.filter(({ method }) => method === BEARER);
  const ours = bearers.filter(({ recipient }) => recipient === consumer);
  if (ours.length === 0) return refuseLogin('it is addressed to somebody else');
  return ours.find(isInTime) ?? refuseLogin('it is expired or not yet valid');
}

function isInTime({ notBefore, notOnOrAfter }: Confirmation): boolean {
  const now = Date.now();
  const end = Date.parse(notOnOrAfter ?? '');
  const start = notBefore === undefined ? 0 : Date.parse(notBefore);
  return now - CLOCK_SKEW_MS < end && now + CLOCK_SKEW_MS >= start;
}

// The request it answers counts as the signed part tells it; the envelope around it must not say anything else.
async function claim(
  db: Database,
  { id }: Assertion,
  { inResponseTo, notOnOrAfter }: Confirmation,
  answered: string | undefined,
): Promise<Claimed> {
  if (id === '') return refuseLogin('it has no id');
  if (answered !== undefined && answered !== inResponseTo) return refuseLogin('it answers another request');
  // Taken as long as our clock allows, remembered until Postgres' says the same, and those may differ as well.
  const expiresAt = new Date(Date.parse(notOnOrAfter ?? '') + 2 * CLOCK_SKEW_MS);
  const claimed = await claimAssertion(db, { assertionId: id, expiresAt, requestId: inResponseTo });
  if (claimed === 'replayed') return refuseLogin('it was used before');
  if (claimed === 'unasked') return refuseLogin('it answers no request of ours, or one that was answered');
  return claimed;
}

// The library tells its faults apart by their texts only, so these are for people; nothing is decided by them.
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/expired|not yet valid|too old/.test(message)) return 'it is expired or not yet valid';
  if (/audience/i.test(message)) return 'it is addressed to somebody else';
  if (/provider returned/.test(message)) return 'the identity provider reported a failure';
  return 'it is not well formed or not signed by the identity provider';
}
