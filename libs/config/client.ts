import { Type, type Static } from 'typebox';
import { readSettings } from './read-settings.ts';

/** Environment variables of the command line's client verbs; a flag with the same meaning takes precedence. */
export const clientSchema = Type.Object({
  SEALIFT_URL: Type.String({ default: 'http://127.0.0.1:8200', description: 'Address of the API.' }),
  SEALIFT_TOKEN: Type.String({ default: '', sensitive: true, description: 'The token to call it with.' }),
  SEALIFT_TOKEN_FILE: Type.String({ default: '', description: 'A file that holds the token, instead.' }),
  SEALIFT_NAMESPACE: Type.String({ default: '', description: 'The namespace to work in. Empty: the root.' }),
});

export type ClientConfig = Static<typeof clientSchema>;

/** The client settings of this process, with defaults. Throws ConfigError. */
export function loadClientConfig(environment: NodeJS.ProcessEnv = process.env): ClientConfig {
  return readSettings(clientSchema, environment);
}
