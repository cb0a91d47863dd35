import { permissionDenied, RequestError } from '../../../libs/errors/request-error.ts';
import { countFailure, findBlock, type FailureLimit } from '../../../libs/store/auth/failures.ts';
import { limitedAddress } from '../access/client-address.ts';
import type { ApiRequest } from '../routing/endpoint.ts';

/** A log-in failed. `reason`: for the audit trail; it must hold nothing that the caller sent. `answer`: what the caller gets. */
export class LogInRefusal extends Error {
  readonly reason: string;
  readonly answer: RequestError;
  constructor(reason: string, answer: RequestError) {
    super(reason);
    this.name = 'LogInRefusal';
    this.reason = reason;
    this.answer = answer;
  }
}

type Request = Pick<ApiRequest, 'services' | 'address' | 'note'>;

/** How many failures an address may have. */
export function addressLimit({ address }: Pick<ApiRequest, 'address'>): FailureLimit {
  return { name: `address ${limitedAddress(address)}`, most: 20, seconds: 60 };
}

/** Throws 429 if the address had too many failures, and 403 if `own`, which is about less, is exceeded. */
export async function requireFewFailures(request: Request, own?: FailureLimit): Promise<void> {
  const { db, installation } = request.services;
  const limits = [addressLimit(request), ...(own ? [own] : [])];
  const [ofAddress = 0, ofOwn = 0] = await Promise.all(
    limits.map((limit) => findBlock(db, installation.hashKey, limit)),
  );
  if (ofAddress > 0)
    throw new RequestError('rate_limited', ['too many failed log-ins from this address'], {
      'Retry-After': String(Math.ceil(ofAddress)),
    });
  if (ofOwn > 0) {
    request.note({ reason: 'too many failures' });
    throw permissionDenied();
  }
}

/** Counts a failure, and throws `refusal`. The reason is for the audit trail; it must hold nothing that the caller sent. */
export async function failLogIn(
  request: Request,
  { reason, refusal, own }: { reason: string; refusal: RequestError; own?: FailureLimit },
): Promise<never> {
  const { db, installation } = request.services;
  request.note({ reason });
  for (const limit of [addressLimit(request), ...(own ? [own] : [])])
    await countFailure(db, installation.hashKey, limit);
  throw refusal;
}
