import { toObject, type DemoClient } from './demo-client.ts';
import { LocalFailure } from './failure.ts';
import { waitFor } from './wait.ts';

/** Shows the demonstration: headings, the user's calls, and their results. */
export interface Narrator {
  step(text: string): void;
  call(method: string, path: string, body?: unknown): void;
  result(text: string): void;
}

const secret = 'secret/data/demo/db';
const destination = 'sys/sync/destinations/cloud1-sm/demo';
const association = { mount: 'secret', secret_name: 'demo/db' };
const credentials = {
  access_key_id: 'AKIADEMO0000000000',
  secret_access_key: 'demo-secret-access-key',
  region: 'eu-west-1',
};

/** Syncs a secret to a store, changes it, pauses syncing, and deletes the secret again. Checks each step. */
export async function tellStory(client: DemoClient, narrator: Narrator): Promise<void> {
  const send = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    narrator.call(method, path, body);
    return client.call(method, path, body);
  };
  await tidyUp(client);

  narrator.step('A secret is written to the KV store.');
  await send('POST', secret, { data: { user: 'app', password: 'first' } });
  narrator.step('A destination says where secrets go, here: AWS Secrets Manager.');
  await send('POST', destination, credentials);
  const shown = await client.call('GET', destination);
  narrator.result(`it reads back as ${JSON.stringify(shown['connection_details'])}`);

  narrator.step('An association links the two: the secret is pushed.');
  const reply = await send('POST', `${destination}/associations/set`, association);
  const name = String(readRecord(reply)['external_name']);
  await expectStore({ client, narrator, name, password: 'first' });
  await expectStatus({ client, narrator, status: 'SYNCED' });

  narrator.step('A new version of the secret follows by itself.');
  await send('POST', secret, { data: { user: 'app', password: 'second' } });
  await expectStore({ client, narrator, name, password: 'second' });

  narrator.step('Syncing is disabled for the whole installation: a change waits its turn.');
  await send('PATCH', 'sys/sync/config', { disabled: true });
  await send('POST', secret, { data: { user: 'app', password: 'third' } });
  await expectStatus({ client, narrator, status: 'PENDING' });
  await expectStore({ client, narrator, name, password: 'second' });

  narrator.step('Enabled again: what has waited is pushed.');
  await send('PATCH', 'sys/sync/config', { disabled: false });
  await expectStore({ client, narrator, name, password: 'third' });

  narrator.step('The association is removed: the store forgets the secret.');
  await send('POST', `${destination}/associations/remove`, association);
  await expectStore({ client, narrator, name, password: undefined });
}

/** Removes what an earlier or aborted demonstration has left. */
async function tidyUp(client: DemoClient): Promise<void> {
  await client.call('PATCH', 'sys/sync/config', { disabled: false });
  await client.call('POST', destination, credentials);
  await client.call('POST', `${destination}/associations/remove`, association);
  const isGone = async (): Promise<boolean> => {
    const reply = await client.call('GET', `${destination}/associations`);
    return Object.keys(readRecord(reply)).length === 0;
  };
  if (await waitFor({ limitMs: 30_000, intervalMs: 200, check: isGone })) return;
  throw new LocalFailure('The association of an earlier demonstration could not be removed within 30 s.');
}

async function expectStore(options: {
  client: DemoClient;
  narrator: Narrator;
  name: string;
  password: string | undefined;
}): Promise<void> {
  const { client, name, password } = options;
  let value: string | undefined;
  const check = async (): Promise<boolean> => {
    value = await client.readStore(name);
    return password === undefined ? value === undefined : readPassword(value) === password;
  };
  if (!(await waitFor({ limitMs: 30_000, check })))
    throw new LocalFailure(
      `The store should hold ${password ?? 'nothing'}, but holds ${value ?? 'nothing'}.`,
    );
  options.narrator.result(value ? `the store holds ${name} = ${value}` : `the store holds no ${name}`);
}

async function expectStatus(options: {
  client: DemoClient;
  narrator: Narrator;
  status: string;
}): Promise<void> {
  let record: Record<string, unknown> = {};
  const check = async (): Promise<boolean> => {
    record = readRecord(await options.client.call('GET', `${destination}/associations`));
    return record['sync_status'] === options.status;
  };
  if (!(await waitFor({ limitMs: 30_000, intervalMs: 100, check })))
    throw new LocalFailure(`The association should be ${options.status}, but is ${JSON.stringify(record)}.`);
  options.narrator.result(`the association is ${options.status}`);
}

function readRecord(reply: Record<string, unknown>): Record<string, unknown> {
  const records = Object.values(toObject(reply['associated_secrets'])).map(toObject);
  return records.find((record) => record['secret_name'] === association.secret_name) ?? {};
}

function readPassword(value: string | undefined): unknown {
  try {
    return toObject(JSON.parse(value ?? ''))['password'];
  } catch {
    return undefined;
  }
}
