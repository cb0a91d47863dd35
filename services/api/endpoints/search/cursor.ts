import { badRequest } from '../../../../libs/errors/request-error.ts';
import { seal, unseal, UnsealError } from '../../../../libs/crypto/seal.ts';
import type { SearchPosition } from '../../../../libs/store/secrets/search.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

type Request = Pick<ApiRequest, 'services' | 'namespace'>;

/** The position as text for `next_after`. It is sealed, because the caller may have no right to see the secret at that position. */
export function sealCursor(request: Request, { mountId, path }: SearchPosition): string {
  const position = JSON.stringify([mountId, path]);
  return seal(request.services.keyring, position, identityOf(request)).toString('base64url');
}

/** The position that `sealCursor` gave. Throws 400 for any other text. */
export function openCursor(request: Request, cursor: string): SearchPosition {
  try {
    const position = unseal(request.services.keyring, Buffer.from(cursor, 'base64url'), identityOf(request));
    const [mountId, path] = JSON.parse(position.toString()) as [number, string];
    return { mountId, path };
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw badRequest('after must be the next_after of an earlier answer in this namespace');
  }
}

function identityOf({ namespace }: Request): string {
  return `search/${namespace.id}`;
}
