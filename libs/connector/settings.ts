import type { TSchema } from 'typebox';
import type { Destination } from './contract.ts';

/** Whether a setting of a type is a secret; what the type does not know counts as one. */
export function isSensitive(type: Pick<Destination, 'settings'>, name: string): boolean {
  const properties: Record<string, TSchema> = type.settings.properties;
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema === undefined || ('sensitive' in schema && schema.sensitive === true);
}
