import { badRequest } from '../../../../libs/errors/request-error.ts';

const FIELD = 'SAMLResponse=';

/**
 * The answer in base64, from the form that the identity provider's page posts. Throws 400 if it is not there. Anybody can
 * send such a form, so it is not decoded as a whole: a parser of forms takes long for a megabyte of signs to decode.
 */
export function samlResponseOf(form: string): string {
  const start = form.startsWith(FIELD) ? 0 : form.indexOf(`&${FIELD}`) + 1;
  const end = form.indexOf('&', start);
  const sent = form.startsWith(FIELD, start)
    ? form.slice(start + FIELD.length, end < 0 ? undefined : end)
    : '';
  if (sent === '') throw badRequest('SAMLResponse is required: send it as a form field');
  // In a form, + is a blank, which base64 has not.
  if (sent.includes('+')) throw badRequest('SAMLResponse must be percent-encoded: send + as %2B');
  try {
    return decodeURIComponent(sent);
  } catch {
    throw badRequest('SAMLResponse must be percent-encoded');
  }
}
