/**
 * Environment variables of the command line's client verbs; a flag with the same meaning takes precedence. A plain schema,
 * because loading the library that makes schemas takes a command longer than its call.
 */
export const clientSchema = {
  type: 'object',
  properties: {
    SEALIFT_URL: { type: 'string', default: 'http://127.0.0.1:8200', description: 'Address of the API.' },
    SEALIFT_TOKEN: { type: 'string', default: '', sensitive: true, description: 'Token for the API.' },
    SEALIFT_TOKEN_FILE: {
      type: 'string',
      default: '',
      description: 'File that holds the token; use it instead of SEALIFT_TOKEN.',
    },
    SEALIFT_NAMESPACE: {
      type: 'string',
      default: '',
      description: 'Namespace of all commands. Empty: the root namespace.',
    },
  },
};

export type ClientConfig = Record<keyof typeof clientSchema.properties, string>;

/** The client settings of this process, with defaults. An empty variable counts as unset. */
export function loadClientConfig(environment: NodeJS.ProcessEnv = process.env): ClientConfig {
  const settings = Object.entries(clientSchema.properties);
  return Object.fromEntries(
    settings.map(([name, { default: fallback }]) => [name, environment[name] || fallback]),
  ) as ClientConfig;
}
