import { RequestError } from '../../../libs/errors/request-error.ts';

/** Throws 401. The reason tells the kind of fault, never what was in the message. */
export function refuseLogin(reason: string): never {
  throw new RequestError('saml_refused', [`the identity provider's answer was refused: ${reason}`]);
}

/** The refusal of an answer to a test, which the page tells in other words than that of a log-in. */
export class RefusedTest extends RequestError {
  constructor({ code, problems, headers }: RequestError) {
    super(code, problems, headers);
  }
}
