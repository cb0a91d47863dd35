import { Type } from 'typebox';
import { RequestError } from '../../../../libs/errors/request-error.ts';

/** `data.id` of a change; clients leave it out or empty. */
export const documentId = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] }));

/** Throws 409 for a change that was sent to one document and names another. */
export function refuseOtherId(given: string | null | undefined, own: string): void {
  if (!given || given === own) return;
  const detail = `id must be ${own}, as in the path: correct it or leave it out`;
  throw new RequestError('other_id', [{ detail, pointer: '/data/id' }]);
}
