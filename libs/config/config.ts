import { ConfigError } from './config-error.ts';
import { strangeRules } from './egress-rules.ts';
import { schemaOf, splitHosts } from './hosts.ts';
import { readSettings } from './read-settings.ts';
import { configSchema, type Config } from './schema.ts';

export { ConfigError } from './config-error.ts';
export type { Config } from './schema.ts';

const LEAST_SECRET = 16;
// A decoder would skip what is not base64, and sign with another key.
const SIGNING_KEY = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const SEVERAL_HOSTS =
  'write them as scheme://user:password@first:1234,second:1234/name, without the parameters host and port';

/** Reads and checks the settings of one process; fills in defaults. Throws ConfigError. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const config = readSettings(configSchema, environment);
  // A file that a variable was read from may end with a blank.
  return checkRelations({
    ...config,
    DATABASE_URL: config.DATABASE_URL.trim(),
    AMQP_URL: config.AMQP_URL.trim(),
  });
}

/**
 * An environment variable for an extra setting of the operator, such as a store's address; undefined if unset or empty.
 */
export function readEnvironment(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** The address under which clients know this installation, without a slash at the end. */
export function publicUrl(config: Config): string {
  const scheme = config.TLS_CERT_FILE ? 'https' : 'http';
  return (config.PUBLIC_URL || `${scheme}://${config.HOST}:${config.PORT}`).replace(/\/+$/, '');
}

/** The address of the issuers of identity tokens, without a slash at the end. */
export function issuerUrl(config: Config): string {
  return config.ISSUER_URL.replace(/\/+$/, '') || publicUrl(config);
}

/**
 * The address of the issuers as a setting names it, empty if none does, and whether this is ISSUER_URL. The port alone says
 * it of the API's own process at most.
 */
export function issuerOf(config: Config): { address: string; isSet: boolean } {
  const isNamed = config.ISSUER_URL !== '' || config.PUBLIC_URL !== '';
  return { address: isNamed ? issuerUrl(config) : '', isSet: config.ISSUER_URL !== '' };
}

/** The variables of this process with some changes, for a child process. */
export function childEnvironment(changes: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** The items of a comma-separated setting. */
export function listSetting(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

function checkRelations(config: Config): Config {
  const faults: string[] = [];
  if (config.LEASE < config.CALL_TIMEOUT * 2) faults.push('LEASE must be at least twice CALL_TIMEOUT');
  if (config.RETRY_MAX < config.RETRY_MIN) faults.push('RETRY_MAX must not be less than RETRY_MIN');
  if (!config.SEALIFT_MASTER_KEY && !config.SEALIFT_MASTER_KEY_FILE) {
    faults.push(
      'no master key: set SEALIFT_MASTER_KEY or SEALIFT_MASTER_KEY_FILE; create one with: openssl rand -base64 32',
    );
  }
  if (Boolean(config.TLS_CERT_FILE) !== Boolean(config.TLS_KEY_FILE))
    faults.push('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or neither');
  faults.push(...addressFaults(config), ...egressFaults(config), ...notifyFaults(config));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

// A mistyped address would be tried forever. The message does not repeat it, because it may hold a password.
function addressFaults({ DATABASE_URL, AMQP_URL, ...config }: Config): string[] {
  const encode = 'write special characters of the user name and the password as %XX';
  const other = (['PUBLIC_URL', 'ISSUER_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'SMS_API_URL'] as const).filter(
    (name) => config[name] && !isUrl(config[name], /^https?:$/),
  );
  return [
    ...serverFaults('DATABASE_URL', DATABASE_URL, isPostgresUrl, `must be a postgres:// URL; ${encode}`),
    ...schemaFaults(DATABASE_URL),
    ...serverFaults('AMQP_URL', AMQP_URL, isAmqpUrl, `must be an amqp:// or amqps:// URL; ${encode}`),
    ...other.map((name) => `${name} must begin with https:// or http://`),
  ];
}

function serverFaults(name: string, url: string, isGood: (url: string) => boolean, fault: string): string[] {
  const urls = splitHosts(url);
  if (urls === null) return [`${name} has a list of hosts that cannot be read; ${SEVERAL_HOSTS}`];
  return urls.every(isGood) ? [] : [`${name} ${fault}`];
}

// It becomes part of a statement.
function schemaFaults(url: string): string[] {
  const isGood = /^[A-Za-z_][A-Za-z0-9_$-]{0,62}$/.test(schemaOf(url) ?? 'public');
  return isGood
    ? []
    : ['DATABASE_URL has a search_path that is not a single name of letters, digits, "_", "-" or "$"'];
}

function isAmqpUrl(text: string): boolean {
  return isUrl(text, /^amqps?:$/);
}

// The driver also accepts the path of a socket, and a URL without a host, if a parameter names the socket.
function isPostgresUrl(text: string): boolean {
  return text.startsWith('/') || isUrl(text.replace('@/', '@host/'), /^(postgres(ql)?|socket):$/);
}

function holdsPassword(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

function isUrl(text: string, protocol: RegExp): boolean {
  return URL.canParse(text) && protocol.test(new URL(text).protocol);
}

// A rule that is mistyped would allow nothing, and the destination that it is for would fail for ever.
function egressFaults({ EGRESS_ALLOW }: Config): string[] {
  const strange = strangeRules(listSetting(EGRESS_ALLOW));
  if (strange.length === 0) return [];
  return [`EGRESS_ALLOW has items that are neither a CIDR nor a host suffix: ${strange.join(', ')}`];
}

// A notification that receivers cannot verify would be worthless to them.
function notifyFaults(config: Config): string[] {
  const { NOTIFY_WEBHOOK_URL: url, NOTIFY_WEBHOOK_SECRET: secret } = config;
  const badAddresses = listSetting(config.NOTIFY_EMAIL).filter(
    (address) => !/^[^\s@<>]+@[^\s@<>]+$/.test(address),
  );
  return [
    ...(url && !isUrl(url, /^https?:$/) ? ['NOTIFY_WEBHOOK_URL must begin with https:// or http://'] : []),
    ...(url && holdsPassword(url)
      ? ['NOTIFY_WEBHOOK_URL must not contain a user name or a password: the receiver verifies the signature']
      : []),
    ...(secret.startsWith('whsec_') && !SIGNING_KEY.test(secret)
      ? ['NOTIFY_WEBHOOK_SECRET must have base64 after whsec_']
      : []),
    ...(url && secret.length < LEAST_SECRET
      ? [
          `NOTIFY_WEBHOOK_SECRET must have at least ${LEAST_SECRET} characters; create one with: openssl rand -base64 32`,
        ]
      : []),
    ...(badAddresses.length > 0 ? ['NOTIFY_EMAIL must be email addresses without display names'] : []),
  ];
}
