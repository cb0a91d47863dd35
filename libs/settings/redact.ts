import { hasMark, type Attributes, type SettingsDefinition } from './definition.ts';

/** A document as it may be shown, in the order of its schema: derived from the marks, nothing to remember. */
export function redactDocument(
  { schema, masksSecrets }: SettingsDefinition,
  document: Attributes,
): Attributes {
  const shown: Attributes = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (hasMark(property, 'writeOnly')) continue;
    if (!hasMark(property, 'sensitive')) shown[name] = document[name];
    else if (masksSecrets) shown[name] = document[name] ? '*****' : null;
  }
  return shown;
}
