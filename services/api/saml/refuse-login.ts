import { RequestError } from '../../../libs/errors/request-error.ts';

/** What is at fault in a refused answer, where a person can do something about it. */
export type LoginFault =
  'audience' | 'recipient' | 'signature' | 'unsigned' | 'sha1' | 'time' | 'user_name' | 'reported';

/** What an identity provider says of a log-in that failed there. Anybody can send it: nothing of it is signed. */
export type Reported = { codes: string[]; message: string };

/** The refusal of an answer for what is in it. */
export class RefusedLogin extends RequestError {
  readonly fault: LoginFault | undefined;
  readonly reported: Reported | undefined;

  constructor(detail: string, { fault, reported }: { fault?: LoginFault; reported?: Reported } = {}) {
    super('saml_refused', [detail]);
    this.fault = fault;
    this.reported = reported;
  }
}

/** Throws 401. The reason tells the kind of fault, never what was in the message. */
export function refuseLogin(reason: string, fault?: LoginFault, reported?: Reported): never {
  throw new RefusedLogin(`the identity provider's answer was refused: ${reason}`, {
    ...(fault ? { fault } : {}),
    ...(reported ? { reported } : {}),
  });
}

/** The refusal of an answer to a test, which the page tells in other words than that of a log-in. */
export class RefusedTest extends RequestError {
  readonly refusal: RequestError;

  constructor(refusal: RequestError) {
    super(refusal.code, refusal.problems, refusal.headers);
    this.refusal = refusal;
  }
}
