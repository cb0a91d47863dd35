import { Type, type Static } from 'typebox';
import { keyServiceSettings } from './key-service.ts';

// A timer of more than 24 days would fire at once.
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;

const milliseconds = (fallback: number, description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: LONGEST_MS,
    default: fallback,
    description: `${description} Milliseconds.`,
  });

const retentionDays = (days: number, what: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: days,
    description: `How many days ${what} are kept where no data retention policy is set. 0: for ever.`,
  });

/** All settings of an operator, by the name of their environment variable. Callers cannot set any of them. */
export const configSchema = Type.Object({
  DATABASE_URL: Type.String({
    minLength: 1,
    sensitive: true,
    description:
      'Postgres connection URL. It may name several hosts, of which one is the primary: postgres://user:password@first:5432,second:5432/name.',
  }),
  DATABASE_POOL_SIZE: Type.Integer({
    minimum: 2,
    maximum: 200,
    default: 10,
    description: 'Most connections of one process.',
  }),
  AMQP_URL: Type.String({
    minLength: 1,
    sensitive: true,
    description:
      'RabbitMQ connection URL. It may name several hosts of one cluster: amqp://user:password@first:5672,second:5672.',
  }),
  AMQP_PREFIX: Type.String({
    pattern: '^[a-z0-9-]{1,60}$',
    default: 'sealift',
    description: 'Begins every queue and exchange name.',
  }),
  SEALIFT_MASTER_KEY: Type.String({
    default: '',
    sensitive: true,
    description:
      '32 random bytes in base64, or what `sealift master-key wrap` made of them; wraps every data key.',
  }),
  SEALIFT_MASTER_KEY_FILE: Type.String({
    default: '',
    description: 'A file that holds the master key, instead of the variable.',
  }),
  SEALIFT_OLD_MASTER_KEYS: Type.String({
    default: '',
    sensitive: true,
    description: 'Earlier master keys, comma separated, until the re-wrap job has run.',
  }),
  ...keyServiceSettings,
  HOST: Type.String({ default: '127.0.0.1', description: 'Address the API listens on.' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8200, description: 'Port of the API.' }),
  TLS_CERT_FILE: Type.String({
    default: '',
    description:
      'PEM file of the certificate, with its chain, that the API serves https with; read again when it changes. Empty: http.',
  }),
  TLS_KEY_FILE: Type.String({ default: '', description: 'PEM file of the key of that certificate.' }),
  HEALTH_PORT: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 9200,
    description: 'Port of health and metrics of a process.',
  }),
  HEALTH_HOST: Type.String({ default: '127.0.0.1', description: 'Address of health and metrics.' }),
  PUBLIC_URL: Type.String({
    default: '',
    description:
      'The address clients and identity providers know us by; no slash at the end. Empty: from HOST and PORT.',
  }),
  LOG_LEVEL: Type.String({
    pattern: '^(debug|info|warn|error|silent)$',
    default: 'info',
    description: 'Least level that is logged.',
  }),
  CONSOLE: Type.Enum(['on', 'off'], {
    default: 'on',
    description: 'Whether the API serves the web console at `/ui/` and takes the sessions of browsers.',
  }),
  CONSOLE_ALLOW_HTTP: Type.Boolean({
    default: false,
    description:
      'Lets browsers sign in over plain http from other machines. Whoever listens in on the network then has their sessions.',
  }),
  EGRESS_ALLOW: Type.String({
    default: '',
    description:
      'CIDRs and host suffixes, comma separated, that callers may name although they are special-purpose.',
  }),
  CREDENTIALS_DIR: Type.String({
    default: '',
    description: 'Directory below which `@path` credentials may be read. Empty: refused.',
  }),
  SMS_API_URL: Type.String({
    default: '',
    description: 'Address of the SMS provider, where it is not its public one.',
  }),
  TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    description:
      'How many proxies of yours stand one behind the other before the API: the client address is the one that the outermost added to X-Forwarded-For.',
  }),
  SECRETS_RATE_LIMIT_PER_TOKEN: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    description:
      'Requests per second of one token outside of site administration, over all API processes. 0: no limit.',
  }),
  SECRETS_RATE_LIMIT_PER_ADDRESS: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 5000,
    description:
      'Requests per second of one client address outside of site administration, over all API processes. 0: no limit.',
  }),
  CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 16,
    description:
      'Pushes in flight for one destination in one worker; fewer where many destinations have work at once (256 in all, at least one each).',
  }),
  SWEEP_INTERVAL: milliseconds(2000, 'How often a worker looks for due work that no message announced.'),
  BATCH_ROWS: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    default: 1000,
    description:
      'Most rows that one transaction changes or removes where a change concerns many: all associations of a destination, all secrets of a mount.',
  }),
  LEASE: milliseconds(
    30_000,
    'How long a claimed association belongs to one worker; at least twice CALL_TIMEOUT.',
  ),
  CALL_TIMEOUT: milliseconds(10_000, 'Limit of one call to an external store.'),
  RETRY_MIN: milliseconds(1000, 'First wait after a failure of the store.'),
  RETRY_MAX: milliseconds(900_000, 'Longest wait after failures of the store.'),
  AMBIENT_CREDENTIALS: Type.Enum(['none', 'root', 'all'], {
    default: 'root',
    description:
      "Which namespaces may make destinations that use the worker's own cloud identity: none, the root namespace, or all.",
  }),
  RECHECK_MIN: milliseconds(
    60_000,
    'First wait after a failure that only somebody outside can fix, such as refused credentials; the next are 2, 5, 15 and 60 times as long.',
  ),
  NAME_PREFIX: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$',
    default: 'sealift',
    description:
      'Begins the names in stores of destinations without a template of their own. Alike on every API process; a destination keeps what it was made with.',
  }),
  ON_LOST_WRITES: Type.Enum(['stop', 'continue'], {
    default: 'stop',
    description:
      'What is done where a failover of Postgres lost acknowledged changes: `stop` refuses changes and pauses syncing until `sealift recover lost-writes`, `continue` goes on with what is left. Either way it is told, and everything is pushed again.',
  }),
  COMMAND_TIMEOUT: milliseconds(
    20_000,
    'How long the API waits for the reply to a command that a worker has taken.',
  ),
  AUDIT_READS: Type.Boolean({
    default: true,
    description: 'Whether reads of values of secrets enter the audit trail; each then waits for its entry.',
  }),
  HISTORY_RETENTION_DAYS: retentionDays(90, 'sync history'),
  AUDIT_RETENTION_DAYS: retentionDays(365, 'audit entries'),
  NOTIFY_WEBHOOK_URL: Type.String({
    default: '',
    sensitive: true,
    description: 'Address that is told what a person should know (https). Empty: nobody is called.',
  }),
  NOTIFY_WEBHOOK_SECRET: Type.String({
    default: '',
    sensitive: true,
    description:
      'Signs each call to NOTIFY_WEBHOOK_URL: `whsec_` and base64, or any text of 16 characters or more.',
  }),
  NOTIFY_EMAIL: Type.String({
    default: '',
    description:
      'Addresses, comma separated, that are told by email through the SMTP settings. Empty: nobody is.',
  }),
  NOTIFY_FAILED_MINUTES: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    default: 15,
    description: 'How many minutes an association must have failed before that is told.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    default: '',
    description: 'An OpenTelemetry collector (OTLP over HTTP) that gets the traces. Empty: there are none.',
  }),
  SHUTDOWN_TIMEOUT: milliseconds(20_000, 'How long a stopping process may finish what is in flight.'),
});

export type Config = Static<typeof configSchema>;
