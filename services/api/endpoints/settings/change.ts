import { Type, type TSchema } from 'typebox';
import { unprocessable } from '../../../../libs/errors/request-error.ts';
import { applyChange } from '../../../../libs/settings/change.ts';
import { hasMark, type Attributes, type SettingsDefinition } from '../../../../libs/settings/definition.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { isJsonObject } from '../../../../libs/validation/lossless.ts';
import { createValidator, type Fault } from '../../../../libs/validation/validator.ts';
import { adminDialect } from '../../routing/dialects/admin.ts';
import type { ApiServices } from '../../services.ts';
import { documentId } from './document-id.ts';
import type { DocumentName } from './names.ts';

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
