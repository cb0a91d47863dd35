import { badRequest } from '../../../libs/errors/request-error.ts';
import { seal, unseal, UnsealError } from '../../../libs/crypto/seal.ts';
import type { ApiRequest } from '../routing/endpoint.ts';

type Request = Pick<ApiRequest, 'services' | 'namespace'>;

/**
 * The place in a list as text for `next_after`. It is sealed, because the caller may have no right to see what is there.
 * `list` names the list and its order.
 */
export function sealPlace(request: Request, list: string, place: unknown): string {
  return seal(request.services.keyring, JSON.stringify(place), identityOf(request, list)).toString(
    'base64url',
  );
}

/** The place that `sealPlace` was given for the same list. Throws 400 for any other text. */
export function openPlace(request: Request, list: string, text: string): unknown {
  try {
    const place = unseal(request.services.keyring, Buffer.from(text, 'base64url'), identityOf(request, list));
    return JSON.parse(place.toString()) as unknown;
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw badRequest('after must be the next_after of an earlier answer in this namespace');
  }
}

function identityOf({ namespace }: Request, list: string): string {
  return `${list}/${namespace.id}`;
}
