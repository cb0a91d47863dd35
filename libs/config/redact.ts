import { maskUrls } from '../validation/told.ts';
import { configSchema, type Config } from './schema.ts';

/** The configuration for the log: sensitive settings that are set, and passwords within URLs, read `*****`. */
export function redactConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => {
      const schema: object = configSchema.properties[name as keyof Config];
      return [name, 'sensitive' in schema && value !== '' ? '*****' : masked(value)];
    }),
  );
}

function masked(value: unknown): unknown {
  return typeof value === 'string' ? maskUrls(value) : value;
}
