import { Type, type TSchema } from 'typebox';

// Each attribute has a description: the OpenAPI document and the console show it.
//
// Marks beside JSON Schema: `sensitive` is sealed in Postgres and never shown; `readOnly` is stored but never accepted
// from a request; `writeOnly` is used for one request and never stored; `address` decides where secrets are sent;
// `storedOnly` is not used by Sealift; `older` is a former name of another attribute. `title` is the label of a field whose name makes none.

/** A switch. */
export const flag = (description: string, fallback: boolean) =>
  Type.Boolean({ description, default: fallback });

/** A text that always has a value. */
export const text = (description: string, fallback: string) =>
  Type.String({ description, default: fallback });

/** A text that may be unset (null). */
export const optionalText = (description: string, options: object = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, default: null, ...options });

/** A credential; null while unset. */
export const secret = (description: string) => optionalText(description, { sensitive: true });

/** A text with a default; null in a request means "unchanged". */
export const sticky = (description: string, fallback: string) =>
  Type.Unsafe<string>({ type: ['string', 'null'], description, default: fallback });

/** A whole number that may be unset. */
export const optionalInteger = (description: string, options: object = {}) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description, default: null, ...options });

/** One of a few words; an empty text in a request means the default. Clients send it to reset a document. */
export const choice = <Word extends string>(description: string, words: Word[], fallback: Word) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words, ''], description, default: fallback });

/** A choice with what people read for each word. */
export const worded = <Schema extends TSchema>(words: Record<string, string>, schema: Schema): Schema =>
  Object.assign(schema, { words });

/** An attribute that matters only if another one has one of these values. */
export const applying = <Schema extends TSchema>(applies: Record<string, string[]>, schema: Schema): Schema =>
  Object.assign(schema, { applies });

/** An attribute that other programs read and Sealift itself does not use. */
export const stored = <Schema extends TSchema>(schema: Schema): Schema =>
  Object.assign(schema, { storedOnly: true });

/** A former name of another attribute, which forms offer only where it has another value than its default. */
export const older = <Schema extends TSchema>(schema: Schema): Schema =>
  Object.assign(schema, { older: true });

/** An attribute whose name does not make a good label. */
export const titled = <Schema extends TSchema>(title: string, schema: Schema): Schema =>
  Object.assign(schema, { title });
