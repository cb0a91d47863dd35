import { configSchema, type Config } from './schema.ts';

/** The configuration for the log: sensitive settings that are set read `*****`. */
export function redactConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const schema: object = configSchema.properties[name as keyof Config];
      return [name, 'sensitive' in schema && value !== '' ? '*****' : value];
    }),
  );
}
