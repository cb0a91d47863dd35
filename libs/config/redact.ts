import { configSchema, type Config } from './schema.ts';

/** The configuration as it may be logged: sensitive settings read `*****` where set. */
export function redactConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const schema: object = configSchema.properties[name as keyof Config];
      return [name, 'sensitive' in schema && value !== '' ? '*****' : value];
    }),
  );
}
