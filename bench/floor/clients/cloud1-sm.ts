import { createHash, createHmac, randomUUID } from 'node:crypto';
import { connect, type Client, type Options, type Settings } from './client.ts';

const ADDRESS = process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER'] ?? '';
const TYPE = 'application/x-amz-json-1.1';
const TARGET = 'secretsmanager.PutSecretValue';
const SIGNED = 'content-type;host;x-amz-date;x-amz-target';

/** One call for each secret, signed by hand (Signature Version 4). */
export function cloud1Sm({ concurrency }: Options): Client {
  const call = connect(ADDRESS, concurrency);
  const { host } = new URL(ADDRESS);
  return {
    batchSize: 1,
    open: (settings) =>
      Promise.resolve(async ([item]) => {
        const { name: SecretId, value: SecretString } = item ?? {};
        const body = JSON.stringify({ SecretId, SecretString, ClientRequestToken: randomUUID() });
        await call({ method: 'POST', path: '/', headers: sign(settings, host, body), body });
      }),
  };
}

function sign(settings: Settings, host: string, body: string): Record<string, string> {
  const { access_key_id: id = '', secret_access_key: secret = '', region = '' } = settings;
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/secretsmanager/aws4_request`;
  const lines = [`content-type:${TYPE}`, `host:${host}`, `x-amz-date:${time}`, `x-amz-target:${TARGET}`];
  const request = ['POST', '/', '', ...lines, '', SIGNED, hash(body)].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(request)].join('\n');
  const signature = keyed(signingKey(secret, day, region), text).toString('hex');
  return {
    'content-type': TYPE,
    'x-amz-date': time,
    'x-amz-target': TARGET,
    authorization: `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${SIGNED}, Signature=${signature}`,
  };
}

// The key of a day, as every client of AWS keeps it.
const keys = new Map<string, Buffer>();

function signingKey(secret: string, day: string, region: string): Buffer {
  const name = `${secret} ${day} ${region}`;
  const key =
    keys.get(name) ??
    [day, region, 'secretsmanager', 'aws4_request'].reduce(keyed, Buffer.from(`AWS4${secret}`));
  keys.set(name, key);
  return key;
}

function keyed(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
