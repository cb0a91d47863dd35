import { expect } from 'chai';
import { startKeyMaintenance } from '../../../services/key-maintenance/start.ts';
import { startSettingsWorker } from '../../../services/settings/start.ts';
import { adminEndpoints, publicEndpoints, secretsEndpoints } from '../../../services/api/endpoints/index.ts';
import { answerOf, type Example } from '../../../services/api/openapi/example.ts';
import { fillPath } from '../../../services/api/openapi/paths.ts';
import type { EndpointTables } from '../../../services/api/openapi/rows.ts';
import { startCloud1SmFake } from '../../sandbox/aws-secrets-manager/fake.ts';
import { createAppKeys } from '../../sandbox/github-secrets/key-pair.ts';
import { startSmsFake } from '../../sandbox/sms/fake.ts';
import { findAnswerFault } from '../../support/answers.ts';
import { noteMount } from '../../support/operations.ts';
import type { Answer } from '../../support/client.ts';
import { cloud1Worker } from '../../support/sandboxed.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

/** The tables that the service serves. */
export const tables: EndpointTables = {
  secrets: [...publicEndpoints, ...secretsEndpoints],
  admin: adminEndpoints,
};

/** An installation in which every example works: with workers, a store and an SMS provider. */
export async function startExampleService(): Promise<Sealift> {
  const before = process.env['CREDENTIALS_DIR'];
  process.env['CREDENTIALS_DIR'] = '/etc/sealift/credentials';
  const fake = await startCloud1SmFake();
  const sms = await startSmsFake();
  sms.addAccount({ sid: `AC${'0'.repeat(32)}`, token: 'example-value', numbers: ['+15005550006'] });
  const sealift = await startSealift({
    environment: { SMS_API_URL: sms.url, PUBLIC_URL: 'https://sealift.example.com' },
    workers: {
      settings: startSettingsWorker,
      'key-maintenance': startKeyMaintenance,
      'cloud1-sm': cloud1Worker(fake),
    },
  });
  const { client } = sealift;
  await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
  await client.post('/v1/sys/sync/destinations/repo-host/idle', {
    access_token: 'example-value',
    repository_owner: 'example',
    repository_name: 'idle',
  });
  const { privateKey } = createAppKeys();
  await client.post('/v1/sys/sync/github-apps/example', { app_id: 123_456, private_key: privateKey });
  return {
    ...sealift,
    stop: async () => {
      if (before === undefined) delete process.env['CREDENTIALS_DIR'];
      else process.env['CREDENTIALS_DIR'] = before;
      await sealift.stop();
      await fake.close();
      await sms.close();
    },
  };
}

/** The values of the placeholders `<name>`, taken from earlier answers. */
export type Kept = Map<string, string>;

/** Runs an example and keeps the values that later ones need. */
export async function carryOut({ client }: Sealift, example: Example, kept: Kept): Promise<Answer> {
  const [method = '', path = ''] = example.of.split(' ');
  const filled = fillIn(example, kept);
  const query = filled.query ? `?${new URLSearchParams(filled.query).toString()}` : '';
  const isPatch = method === 'PATCH' && !path.startsWith('/api/');
  const raw = typeof filled.body === 'string' ? { raw: filled.body } : {};
  const answer = await client.call(method, `${fillPath(path, filled.params)}${query}`, filled.body, {
    ...raw,
    ...(example.token === null ? { token: null } : {}),
    headers: {
      ...(isPatch ? { 'content-type': 'application/merge-patch+json' } : {}),
      ...filled.headers,
    },
  });
  for (const [name, pointer] of Object.entries(example.keep ?? {})) {
    const value = pointer.split('.').reduce((inner, key) => inner?.[key], answer.body);
    expect(value, `${example.name}: ${pointer} of ${answer.text}`).to.be.a('string');
    kept.set(name, value);
  }
  return answer;
}

/** What the document does not allow in the answer that an example shows; undefined if it allows the answer. */
export async function findExampleFault(example: Example): Promise<string | undefined> {
  const [method = '', path = ''] = example.of.split(' ');
  noteMount(fillPath(path, example.params), example.body);
  const body = answerOf(example);
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = path.startsWith('/api/') ? 'application/vnd.api+json' : 'application/json';
  if (typeof body === 'string') return undefined;
  const headers = { 'content-type': type };
  const call = { method, path: fillPath(path, example.params), wraps: example.wrapInfo !== undefined };
  return findAnswerFault(call, { status: example.status, headers, body, text });
}

function fillIn(example: Example, kept: Kept): Example {
  let text = JSON.stringify(example);
  for (const [name, value] of kept) text = text.replaceAll(`<${name}>`, value);
  return JSON.parse(text) as Example;
}
