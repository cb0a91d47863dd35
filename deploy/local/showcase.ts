import type { DemoClient } from './demo-client.ts';

/** A destination of the demonstration, and its associated secrets. */
type Shown = { path: string; settings: object; secrets: string[] };

const KEYS = { access_key_id: 'AKIADEMO0000000000', secret_access_key: 'demo-secret-access-key' };
const BY_PATH = { secret_name_template: '{{ .SecretPath }}' };

const SHOP: Shown = {
  path: 'cloud1-sm/shop',
  settings: { ...KEYS, ...BY_PATH, region: 'eu-west-1' },
  secrets: ['shop/database', 'shop/mail', 'shop/payments', 'shop/session'],
};
const CONFLICT: Shown = {
  path: 'cloud1-sm/legacy',
  settings: { ...KEYS, region: 'eu-west-1', secret_name_template: 'legacy/{{ .SecretPath }}' },
  secrets: ['shop/database', 'shop/mail'],
};
const REFUSED: Shown = {
  path: 'cloud1-sm/archive',
  settings: { ...KEYS, ...BY_PATH, secret_access_key: 'a-key-that-was-revoked', region: 'eu-north-1' },
  secrets: ['shop/database', 'shop/mail', 'shop/payments'],
};
const LIMITED: Shown = {
  path: 'hosting-project/website',
  settings: { access_token: 'vcp_valid', project_id: 'prj_demo', deployment_environments: ['production'] },
  secrets: ['shop/session'],
};

const CHANGED: Shown = {
  path: 'cloud1-sm/mirror',
  settings: { ...KEYS, region: 'eu-west-1', secret_name_template: 'mirror/{{ .SecretPath }}' },
  secrets: ['shop/mail', 'shop/session'],
};

const AN_HOUR = 3600;

/**
 * Creates destinations in different states for the console to show: in sync, one name taken by a foreign entry,
 * credentials refused, the store's limit used up, and one entry changed outside. A second call changes nothing.
 */
export async function showStates(client: DemoClient, stores: Record<string, string>): Promise<void> {
  for (const secret of SHOP.secrets)
    await client.call('POST', `secret/data/${secret}`, { data: { user: 'shop', password: 'demo-value' } });
  await steer(stores['cloud1-sm'], 'POST', 'plant', { name: 'legacy/shop/mail', value: 'of somebody else' });
  await steer(stores['hosting-project'], 'DELETE', 'faults');
  const limit = { kind: 'throttle', retryAfterSeconds: AN_HOUR };
  await steer(stores['hosting-project'], 'POST', 'faults', limit);
  for (const shown of [SHOP, CONFLICT, REFUSED, LIMITED, CHANGED]) await put(client, shown);
  await drift(client, stores['cloud1-sm']);
}

// Changes an entry outside, and looks at it, so that Sealift notices.
async function drift(client: DemoClient, store: string | undefined): Promise<void> {
  const answer = (await steer(store, 'GET', 'entries')) as { entries: { name: string }[] } | undefined;
  // Keeps its tags: without them the entry would look like a new one that somebody else made.
  const entry = answer?.entries.find(({ name }) => name === 'mirror/shop/mail');
  await steer(store, 'POST', 'plant', { ...entry, value: 'changed by somebody else' });
  const body = { mount: 'secret', secret_name: 'shop/mail' };
  await client.call('POST', `sys/sync/destinations/${CHANGED.path}/associations/verify`, body);
}

async function put(client: DemoClient, { path, settings, secrets }: Shown): Promise<void> {
  const destination = `sys/sync/destinations/${path}`;
  await client.call('POST', destination, settings);
  for (const name of secrets) {
    await client.call('POST', `${destination}/associations/set`, { mount: 'secret', secret_name: name });
  }
}

async function steer(
  store: string | undefined,
  method: string,
  control: string,
  body?: object,
): Promise<unknown> {
  if (store === undefined) return undefined;
  const answer = await fetch(`${store}/_sandbox/${control}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  return answer.json();
}
