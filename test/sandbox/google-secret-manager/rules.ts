import { invalid } from './vendor-error.ts';

const MOST_BYTES = 65_536;
const MOST_LABELS = 64;
const LABEL_KEY = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u;
const LABEL_VALUE = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Input = Record<string, unknown>;

/** The name of a secret to create. */
export function secretIdOf(id: string | null): string {
  if (id === null || !/^[A-Za-z0-9_-]{1,255}$/.test(id))
    throw invalid('Invalid resource field value in the request: secret_id.');
  return id;
}

export function labelsOf(input: Input): Record<string, string> {
  const labels = Object.entries((input['labels'] ?? {}) as Record<string, unknown>);
  if (labels.length > MOST_LABELS) throw invalid(`At most ${MOST_LABELS} labels are allowed.`);
  for (const [key, value] of labels)
    if (!LABEL_KEY.test(key) || typeof value !== 'string' || !LABEL_VALUE.test(value))
      throw invalid('Label keys and values can only contain lowercase letters, digits, _ and -.');
  return Object.fromEntries(labels) as Record<string, string>;
}

type Encryption = { customerManagedEncryption?: { kmsKeyName?: unknown } };
const KEY = /^projects\/[^/]+\/locations\/([^/]+)\/keyRings\/[^/]+\/cryptoKeys\/[^/]+$/;

/** Automatic, or a list of distinct regions. All replicas have a customer key of their own region, or none has one. */
export function replicationOf(input: Input): object {
  const replication = (input['replication'] ?? {}) as Input;
  if ('automatic' in replication) {
    const automatic = (replication['automatic'] ?? {}) as Encryption;
    return { automatic: encryptionOf(automatic, 'global') };
  }
  const managed = replication['userManaged'] as
    { replicas?: (Encryption & { location?: unknown })[] } | undefined;
  const replicas = (managed?.replicas ?? []).map((replica) => {
    const { location } = replica;
    if (typeof location !== 'string' || !/^[a-z]+-[a-z]+\d+$/.test(location))
      throw invalid('A location is not supported.');
    return { location, ...encryptionOf(replica, location) };
  });
  if (replicas.length === 0) throw invalid('Field [secret.replication] is required.');
  if (new Set(replicas.map(({ location }) => location)).size !== replicas.length)
    throw invalid('A location is given twice.');
  const encrypted = replicas.filter((replica) => 'customerManagedEncryption' in replica);
  if (encrypted.length > 0 && encrypted.length < replicas.length)
    throw invalid('Customer-managed encryption must be given for all replicas or for none.');
  return { userManaged: { replicas } };
}

function encryptionOf({ customerManagedEncryption: given }: Encryption, location: string): object {
  if (given === undefined || given === null) return {};
  const name = given.kmsKeyName;
  if (typeof name !== 'string' || KEY.exec(name)?.[1] !== location)
    throw invalid(`The KMS key must be one of the location ${location}.`);
  return { customerManagedEncryption: { kmsKeyName: name } };
}

export function payloadOf(input: Input): Buffer {
  const text = (input['payload'] as Input | undefined)?.['data'];
  if (typeof text !== 'string' || text === '') throw invalid('Field [payload] is required.');
  if (!BASE64.test(text)) throw invalid('Invalid value at payload.data: base64 decoding failed.');
  const data = Buffer.from(text, 'base64');
  if (data.length > MOST_BYTES) throw invalid(`Secret payload must have at most ${MOST_BYTES} bytes.`);
  return data;
}
