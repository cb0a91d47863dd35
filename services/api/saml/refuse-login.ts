import { RequestError } from '../../../libs/errors/request-error.ts';

/** Throws 401. The reason tells the kind of fault, never what was in the message. */
export function refuseLogin(reason: string): never {
  throw new RequestError('saml_refused', [`the identity provider's answer was refused: ${reason}`]);
}
