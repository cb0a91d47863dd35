import { Type, type Static } from 'typebox';
import { keyServiceSettings } from './key-service.ts';

// A timer of more than 24 days would fire at once.
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;

const milliseconds = (fallback: number, description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: LONGEST_MS,
    default: fallback,
    description: `${description} In milliseconds.`,
  });

const retentionDays = (days: number, what: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: days,
    description: `How many days ${what} are kept if no data retention policy is set. 0: for ever.`,
  });

/** All settings of an operator, by the name of their environment variable. Callers cannot set any of them. */
export const configSchema = Type.Object({
  DATABASE_URL: Type.String({
    minLength: 1,
    sensitive: true,
    description:
      'Postgres connection URL. It may name several hosts, one of them the primary: postgres://user:password@first:5432,second:5432/name. The tables are in the first schema of the search path `"$user", public`, or in the one that the URL names: ?options=-csearch_path%3Dname.',
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 2,
    maximum: 200,
    default: 10,
    description: 'Maximum number of database connections of one process.',
  }),
  AMQP_URL: Type.String({
    minLength: 1,
    sensitive: true,
    description:
      'RabbitMQ connection URL. It may name several hosts of one cluster: amqp://user:password@first:5672,second:5672. The queues of work notifications then survive the loss of a node.',
  }),
  AMQP_PREFIX: Type.String({
    pattern: '^[a-z0-9-]{1,60}$',
    errorMessage: 'must have 1 to 60 lower-case letters, digits and -, such as sealift',
    default: 'sealift',
    description:
      'Prefix of the names of all queues and exchanges. Each installation needs its own, or a virtual host of its own.',
  }),
  SEALIFT_MASTER_KEY: Type.String({
    default: '',
    sensitive: true,
    description:
      'The master key, which wraps every data key: 32 random bytes in base64, or the output of `sealift master-key wrap`.',
  }),
  SEALIFT_MASTER_KEY_FILE: Type.String({
    default: '',
    description: 'File that holds the master key; use it instead of SEALIFT_MASTER_KEY.',
  }),
  SEALIFT_OLD_MASTER_KEYS: Type.String({
    default: '',
    sensitive: true,
    description: 'Earlier master keys, comma separated. They are needed until the re-wrap job has run.',
  }),
  ...keyServiceSettings,
  HOST: Type.String({ default: '127.0.0.1', description: 'Address the API listens on.' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8200, description: 'Port of the API.' }),
  TLS_CERT_FILE: Type.String({
    default: '',
    description:
      'PEM file of the TLS certificate of the API, with its chain. It is read again when it changes. Empty: the API serves http.',
  }),
  TLS_KEY_FILE: Type.String({ default: '', description: 'PEM file of the private key of that certificate.' }),
  HEALTH_PORT: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 9200,
    description: 'Port where a process serves health checks and metrics.',
  }),
  HEALTH_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Address where a process serves health checks and metrics.',
  }),
  PUBLIC_URL: Type.String({
    default: '',
    description:
      'Address under which clients and identity providers reach the API. A slash at its end does not count. Alerts lead to the console below it. Empty: made from HOST and PORT, and alerts lead nowhere.',
  }),
  ISSUER_URL: Type.String({
    default: '',
    description:
      'Address under which external stores fetch the keys of identity tokens: public, https and, for AWS, without a port. All processes need the same value; a slash at its end does not count. Empty: PUBLIC_URL.',
  }),
  LOG_LEVEL: Type.String({
    pattern: '^(debug|info|warn|error|silent)$',
    errorMessage: 'must be one of debug, info, warn, error, silent, such as info',
    default: 'info',
    description: 'Lowest level that is logged.',
  }),
  CONSOLE: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether the API serves the web console at `/ui/` and accepts browser sessions.',
  }),
  CONSOLE_ALLOW_HTTP: Type.Boolean({
    default: false,
    description:
      'Lets browsers on other machines sign in over plain http. Anyone who reads the network traffic can then take over their sessions.',
  }),
  EGRESS_ALLOW: Type.String({
    default: '',
    description:
      'CIDRs and host suffixes, comma separated, that callers may use although they are private or otherwise special-purpose.',
  }),
  CREDENTIALS_DIR: Type.String({
    default: '',
    description: 'Directory that `@path` credentials are read from. Empty: `@path` credentials are refused.',
  }),
  SMS_API_URL: Type.String({
    default: '',
    description: 'Address of the SMS provider. Empty: its public address.',
  }),
  TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    description:
      'Number of your own proxies between clients and the API. The client address is the one that the outermost proxy added to X-Forwarded-For.',
  }),
  SECRETS_RATE_LIMIT_PER_TOKEN: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    description:
      'Maximum number of requests per second of one token, counted over all API processes; site administration is not counted. 0: no limit.',
  }),
  SECRETS_RATE_LIMIT_PER_ADDRESS: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 5000,
    description:
      'Maximum number of requests per second of one client address, counted over all API processes; site administration is not counted. 0: no limit.',
  }),
  SAML_RATE_LIMIT_PER_ADDRESS: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 10,
    description:
      'Maximum number of single sign-ons per second that one client address may begin, and of answers of the identity provider that it may bring, counted over all API processes. 0: no limit.',
  }),
  CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 16,
    description:
      'Maximum number of pushes that one worker runs at once for one destination. All destinations of a worker share 256; each gets at least one.',
  }),
  SWEEP_INTERVAL: milliseconds(2000, 'How often a worker looks for due work that no message announced.'),
  BATCH_ROWS: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 1000,
    description:
      'Maximum number of rows that one transaction of a large change writes or removes, such as all associations of a destination or all secrets of a mount.',
  }),
  LEASE: milliseconds(
    30_000,
    'How long a worker owns an association that it claimed; at least twice CALL_TIMEOUT.',
  ),
  CALL_TIMEOUT: milliseconds(10_000, 'Time limit of one call to an external store.'),
  RETRY_MIN: milliseconds(1000, 'First wait before a retry after a failure of the store.'),
  RETRY_MAX: milliseconds(900_000, 'Longest wait before a retry after failures of the store.'),
  AMBIENT_CREDENTIALS: Type.Enum(['none', 'root', 'all'], {
    default: 'root',
    description:
      "Which namespaces may have destinations that use the worker's own cloud identity, and auth methods that ask its cluster with its own service account: `none`, only the `root` namespace, or `all`.",
  }),
  RECHECK_MIN: milliseconds(
    60_000,
    'First wait before a retry after a failure that someone has to fix, such as refused credentials. Later waits are 2, 5, 15 and 60 times as long.',
  ),
  NAME_PREFIX: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$',
    errorMessage: 'must have 1 to 40 letters, digits and _ -, and begin with a letter, such as sealift',
    default: 'sealift',
    description:
      'Prefix of external names of destinations that have no template of their own. All API processes need the same value. A change affects new destinations only.',
  }),
  ON_LOST_WRITES: Type.Enum(['stop', 'continue'], {
    default: 'stop',
    description:
      'What to do if a failover of Postgres lost acknowledged changes. `stop` refuses changes and pauses syncing until `sealift recover lost-writes`; `continue` works on without the lost changes. In both cases the loss is reported and everything is pushed again.',
  }),
  COMMAND_TIMEOUT: milliseconds(
    20_000,
    'How long the API waits for the reply to a command after a worker accepted it.',
  ),
  AUDIT_READS: Type.Boolean({
    default: true,
    description:
      'Whether the audit trail records each read of secret values. If so, a read is answered only after its entry is stored.',
  }),
  HISTORY_RETENTION_DAYS: retentionDays(90, 'sync history'),
  AUDIT_RETENTION_DAYS: retentionDays(365, 'audit entries'),
  NOTIFY_WEBHOOK_URL: Type.String({
    default: '',
    sensitive: true,
    description: 'Webhook URL (https) that gets notifications. Empty: no webhook is called.',
  }),
  NOTIFY_WEBHOOK_SECRET: Type.String({
    default: '',
    sensitive: true,
    description:
      'Key that signs each call to NOTIFY_WEBHOOK_URL: `whsec_` and base64, or any text of 16 characters or more.',
  }),
  NOTIFY_EMAIL: Type.String({
    default: '',
    description:
      'Email addresses, comma separated, that get notifications; they are sent with the SMTP settings. Empty: no email is sent.',
  }),
  NOTIFY_FAILED_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    default: 15,
    description: 'How many minutes an association must fail before a notification is sent.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    default: '',
    description:
      'Address of an OpenTelemetry collector (OTLP over HTTP) that gets the traces. Empty: no traces are made.',
  }),
  SHUTDOWN_TIMEOUT: milliseconds(
    20_000,
    'How long a stopping process may take to finish its work in progress.',
  ),
});

export type Config = Static<typeof configSchema>;
