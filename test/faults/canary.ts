import { eventually } from '../support/eventually.ts';
import type { Caller } from './caller.ts';
import type { Store } from './checker.ts';

/** A secret of its own in every store, whose way out tells whether the system works again. */
export type Canary = {
  /** Writes a new value and waits until every store holds it; the milliseconds that took. */
  measure: (limitMs: number) => Promise<number>;
};

const PATH = 's999999';

/** Makes a destination of each type and links the secret to it. */
export async function createCanary(caller: Caller, stores: Map<string, Store>): Promise<Canary> {
  let round = 0;
  const write = async (): Promise<string> => {
    round += 1;
    const value = `sign of life ${round}`;
    await caller.send('POST', `/v1/secret/data/${PATH}`, { data: { a: value } });
    return value;
  };
  await write();
  for (const type of stores.keys()) {
    const path = `/v1/sys/sync/destinations/${type}/canary`;
    const template = type === 'repo-host' ? 'canary_{{ .SecretKey }}' : 'canary';
    await caller.send('POST', path, { ...settingsOf(type), secret_name_template: template });
    await caller.send('POST', `${path}/associations/set`, { mount: 'secret', secret_name: PATH });
  }
  const without = (value: string): string[] => {
    const hasIt = ({ fake }: Store) =>
      fake.entries().some((entry) => /^canary/i.test(entry.name) && entry.value?.includes(value));
    return [...stores].filter(([, store]) => !hasIt(store)).map(([type]) => type);
  };
  const describe = async (type: string): Promise<string> => {
    const path = `/v1/sys/sync/destinations/${type}/canary/associations`;
    const { answer } = await caller.send('GET', path);
    return `${type} has no sign of life: ${JSON.stringify(answer.body.data)}`;
  };
  return {
    measure: async (limitMs) => {
      const started = Date.now();
      const value = await write();
      try {
        await eventually(() => without(value).length === 0, { limitMs, everyMs: 10 });
      } catch {
        throw new Error((await Promise.all(without(value).map(describe))).join('\n'));
      }
      return Date.now() - started;
    },
  };
}

/** What the stand-in of a type takes as its connection. */
export function settingsOf(type: string): Record<string, unknown> {
  return type === 'repo-host'
    ? { access_token: 'ghp_valid', repository_owner: 'acme', repository_name: 'web' }
    : { access_key_id: 'AKIAEXAMPLEONE', secret_access_key: 'a-secret-key', region: 'eu-west-1' };
}
