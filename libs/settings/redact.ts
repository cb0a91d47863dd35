import { hasMark, type Attributes, type SettingsDefinition } from './definition.ts';

/** The visible part of a document, in the order of its schema. The marks decide it, so there is no list to maintain. */
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
