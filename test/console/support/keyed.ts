import { cloud1Settings } from '../../support/sandboxed.ts';
import type { ConsoleScene } from './scene.ts';

/** Links a secret `keyed`, whose keys are the entries `keyed/{key}`, to a new destination `cloud1-sm/keys`; returns its path. */
export async function linkKeyed(
  { sealift: { client }, driver }: ConsoleScene,
  data: Record<string, string>,
): Promise<string> {
  const keys = driver.path.replace(/prod$/, 'keys');
  await client.post(keys, {
    ...cloud1Settings(),
    granularity: 'secret-key',
    secret_name_template: '{{ .SecretPath }}/{{ .SecretKey }}',
  });
  await driver.write('keyed', data);
  await client.post(`${keys}/associations/set`, { mount: 'secret', secret_name: 'keyed' });
  return keys;
}
