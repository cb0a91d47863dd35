import { Type, type TSchema } from 'typebox';
import { unprocessable } from '../../../../libs/errors/request-error.ts';
import type { Config } from '../../../../libs/config/config.ts';
import { applyChange } from '../../../../libs/settings/change.ts';
import { hasMark, type Attributes, type SettingsDefinition } from '../../../../libs/settings/definition.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { isJsonObject } from '../../../../libs/validation/lossless.ts';
import { createValidator, type Fault } from '../../../../libs/validation/validator.ts';
import { derivedAttributes } from '../../presenters/settings.ts';
import { adminDialect } from '../../routing/dialects/admin.ts';
import type { ApiServices } from '../../services.ts';
import { documentId } from './document-id.ts';
import type { DocumentName } from '../../../../libs/settings/definitions.ts';

type Change = { id?: string | null; attributes: Attributes };

type ChangeReader = (services: ApiServices, body: unknown) => Promise<Change>;

/** The body that changes a settings document. */
export function changeSchema({ schema }: SettingsDefinition, { type }: DocumentName): TSchema {
  const writable = Object.entries(schema.properties).filter(([, property]) => !hasMark(property, 'readOnly'));
  return Type.Object({
    data: Type.Object({
      id: documentId,
      // Clients send no type, or an empty one.
      type: Type.Optional(Type.Unsafe<string | null>({ enum: [type, '', null] })),
      attributes: Type.Partial(Type.Object(Object.fromEntries(writable))),
    }),
  });
}

// A warning is for a person.
const MOST_WARNINGS = 20;
const LONGEST_NAME = 100;

/** Names of sent attributes that the settings do not have, at most 20. Clients send back what they have read, so that is known. */
export function unknownAttributes(
  { schema, kind, normalise }: SettingsDefinition,
  sent: Attributes,
  config: Config,
): string[] {
  const known = { ...schema.properties, ...derivedAttributes(kind, config) };
  return Object.keys(normalise?.(sent) ?? sent)
    .filter((name) => !Object.hasOwn(known, name))
    .slice(0, MOST_WARNINGS)
    .map((name) => name.slice(0, LONGEST_NAME));
}

/**
 * Reads the change from a body. Throws 422 with all faults at once: if some attributes have a wrong type, also with the
 * faults that the other attributes would cause.
 */
export function createChangeReader(definition: SettingsDefinition, name: DocumentName): ChangeReader {
  const check = createValidator(changeSchema(definition, name));
  return async (services, body) => {
    const checked = check(body);
    if (!('faults' in checked)) return (checked.value as { data: Change }).data;
    const { problems } = adminDialect.invalid(checked.faults);
    const isTold = (pointer?: string) => problems.some((problem) => problem.pointer === pointer);
    const { attributes } = await loadDocument(services, definition);
    const change = applyChange(definition, attributes, soundAttributes(body, checked.faults));
    throw unprocessable(...problems, ...change.problems.filter(({ pointer }) => !isTold(pointer)));
  };
}

function soundAttributes(body: unknown, faults: Fault[]): Attributes {
  const sent = (body as { data?: { attributes?: unknown } | null } | null)?.data?.attributes;
  if (!isJsonObject(sent)) return {};
  const isSound = (name: string) => faults.every(({ pointer }) => pointer !== `/data/attributes/${name}`);
  return Object.fromEntries(Object.entries(sent).filter(([name]) => isSound(name)));
}
