import { Type, type Static } from 'typebox';
import { readSettings } from './read-settings.ts';

/** Environment variables of the command line's client verbs; a flag with the same meaning takes precedence. */
export const clientSchema = Type.Object({
  SEALIFT_URL: Type.String({ default: 'http://127.0.0.1:8200', description: 'Address of the API.' }),
  SEALIFT_TOKEN: Type.String({ default: '', sensitive: true, description: 'Token for the API.' }),
  SEALIFT_TOKEN_FILE: Type.String({
    default: '',
    description: 'File that holds the token; use it instead of SEALIFT_TOKEN.',
  }),
  SEALIFT_NAMESPACE: Type.String({
    default: '',
    description: 'Namespace of all commands. Empty: the root namespace.',
  }),
});

export type ClientConfig = Static<typeof clientSchema>;

/** The client settings of this process, with defaults. Throws ConfigError. */
export function loadClientConfig(environment: NodeJS.ProcessEnv = process.env): ClientConfig {
  return readSettings(clientSchema, environment);
}
