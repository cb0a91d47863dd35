import { Type } from 'typebox';

// Beside JSON Schema: `sensitive` is sealed in Postgres and never shown; `readOnly` is kept but never taken from a
// request; `writeOnly` is taken for the length of one request and never kept; `address` decides where secrets are sent.

/** A switch. */
export const flag = (fallback: boolean) => Type.Boolean({ default: fallback });

/** A text that always has a value. */
export const text = (fallback: string) => Type.String({ default: fallback });

/** A text that may be unset, which is null. */
export const optionalText = (options: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], default: null, ...options });

/** A credential; null while unset. */
export const secret = () => optionalText({ sensitive: true });

/** A text with a default for which null in a request means "unchanged". */
export const sticky = (fallback: string) =>
  Type.Unsafe<string>({ type: ['string', 'null'], default: fallback });

/** A whole number that may be unset. */
export const optionalInteger = (options: object = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], default: null, ...options });

/** One of a few words; an empty text in a request, as clients send it to reset a document, means the default. */
export const choice = <Word extends string>(words: Word[], fallback: Word) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words, ''], default: fallback });
