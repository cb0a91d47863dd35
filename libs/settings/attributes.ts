import { Type } from 'typebox';

// Marks beside JSON Schema: `sensitive` is sealed in Postgres and never shown; `readOnly` is stored but never accepted
// from a request; `writeOnly` is used for one request and never stored; `address` decides where secrets are sent.

/** A switch. */
export const flag = (fallback: boolean) => Type.Boolean({ default: fallback });

/** A text that always has a value. */
export const text = (fallback: string) => Type.String({ default: fallback });

/** A text that may be unset (null). */
export const optionalText = (options: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], default: null, ...options });

/** A credential; null while unset. */
export const secret = () => optionalText({ sensitive: true });

/** A text with a default; null in a request means "unchanged". */
export const sticky = (fallback: string) =>
  Type.Unsafe<string>({ type: ['string', 'null'], default: fallback });

/** A whole number that may be unset. */
export const optionalInteger = (options: object = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], default: null, ...options });

/** One of a few words; an empty text in a request means the default. Clients send it to reset a document. */
export const choice = <Word extends string>(words: Word[], fallback: Word) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words, ''], default: fallback });
