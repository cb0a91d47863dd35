import { Type, type Static } from 'typebox';
import { readSettings } from './read-settings.ts';

/** What the command line's client verbs read from the environment; flags of the same meaning win. */
export const clientSchema = Type.Object({
  SEALIFT_URL: Type.String({ default: 'http://127.0.0.1:8200', description: 'Address of the API.' }),
  SEALIFT_TOKEN: Type.String({ default: '', sensitive: true, description: 'The token to call it with.' }),
  SEALIFT_TOKEN_FILE: Type.String({ default: '', description: 'A file that holds the token, instead.' }),
  SEALIFT_NAMESPACE: Type.String({ default: '', description: 'The namespace to work in. Empty: the root.' }),
});

export type ClientConfig = Static<typeof clientSchema>;

/** The client settings of this process, defaults filled in. Throws ConfigError. */
export function loadClientConfig(environment: NodeJS.ProcessEnv = process.env): ClientConfig {
  return readSettings(clientSchema, environment);
}
