import { Type, type Static, type TProperties, type TSchema } from 'typebox';

/** An object that has these keys and no others. */
export function closed<Properties extends TProperties>(properties: Properties, description?: string) {
  return Type.Object(properties, { additionalProperties: false, ...describedBy(description) });
}

/** The value, or null. */
export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], describedBy(description));
}

/** An object whose keys are names, such as those of secrets. */
export function byName<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Unsafe<Record<string, Static<Schema>>>({
    type: 'object',
    additionalProperties: schema,
    ...describedBy(description),
  });
}

/** Any object, such as the value of a secret. */
export const anyObject = byName(Type.Unknown());

/** A list of texts. */
export const texts = Type.Array(Type.String());

/** A time by RFC 3339. */
export const time = Type.String({ format: 'date-time' });

/** The same where a presenter passes on what it got from the database: a date becomes a text when it is sent. */
export const sentTime = Type.Unsafe<string | Date>({ type: 'string', format: 'date-time' });

/** The keys of a list whose answer is 404 if it is empty. */
export const keysAnswer = closed({ keys: texts });

function describedBy(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
