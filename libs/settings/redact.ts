import { hasMark, type Attributes, type SettingsDefinition } from './definition.ts';

/** What is shown of a secret that is set. */
export const MASK = '*****';

/** A whole document in which each secret that is set is a mask, and the others are null. */
export function maskSecrets({ schema }: SettingsDefinition, document: Attributes): Attributes {
  const masked = Object.entries(document).map(([name, value]) => {
    const isSecret = hasMark(schema.properties[name], 'sensitive');
    return [name, isSecret ? (value ? MASK : null) : value] as const;
  });
  return Object.fromEntries(masked);
}

/** The visible part of a document, in the order of its schema. The marks decide it, so there is no list to maintain. */
export function redactDocument(
  { schema, masksSecrets }: SettingsDefinition,
  document: Attributes,
): Attributes {
  const shown: Attributes = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (hasMark(property, 'writeOnly')) continue;
    if (!hasMark(property, 'sensitive')) shown[name] = document[name];
    else if (masksSecrets) shown[name] = document[name] ? MASK : null;
  }
  return shown;
}
