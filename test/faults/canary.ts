import { eventually } from '../support/eventually.ts';
import type { Caller } from './caller.ts';
import type { Store } from './checker.ts';

/** One extra secret in every store. Its sync shows whether the system works again. */
export type Canary = {
  /** Writes a new value and waits until every store has it. Returns the milliseconds; `by` is the caller that writes. */
  measure: (limitMs: number, by?: Caller) => Promise<number>;
};

// AWS keeps a hundred versions of an entry and accepts no more within a day. A value may be written more than once.
const MOST_VERSIONS = 50;

/** Makes a destination of each type and associates the secret with each. */
export async function createCanary(caller: Caller, stores: Map<string, Store>): Promise<Canary> {
  let round = 0;
  let number = 0;
  const linked = new Set<string>();
  const isFull = ({ fake }: Store): boolean =>
    fake.entries().some(({ name, versions = 0 }) => name === `canary${number}` && versions >= MOST_VERSIONS);
  const write = async (by = caller): Promise<string> => {
    if ([...stores.values()].some(isFull)) number += 1;
    const secret = `canary${number}`;
    const isNew = !linked.has(secret);
    linked.add(secret);
    round += 1;
    const value = `sign of life ${round}`;
    await by.send('POST', `/v1/secret/data/${secret}`, { data: { a: value } });
    const link = { mount: 'secret', secret_name: secret };
    for (const type of isNew ? stores.keys() : [])
      await caller.send('POST', `/v1/sys/sync/destinations/${type}/canary/associations/set`, link);
    return value;
  };
  for (const { type, kind, fake, url } of stores.values()) {
    const template = kind.byKey ? '{{ .SecretPath }}_{{ .SecretKey }}' : '{{ .SecretPath }}';
    const { answer } = await caller.send('POST', `/v1/sys/sync/destinations/${type}/canary`, {
      ...kind.settings(fake, url, 'canary'),
      granularity: kind.byKey ? 'secret-key' : 'secret-path',
      secret_name_template: template,
    });
    if (answer.status !== 200) throw new Error(`the canary at ${type} was refused: ${answer.text}`);
  }
  await write();
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
    measure: async (limitMs, by) => {
      const started = Date.now();
      const value = await write(by);
      try {
        await eventually(() => without(value).length === 0, { limitMs, everyMs: 10 });
      } catch {
        throw new Error((await Promise.all(without(value).map(describe))).join('\n'));
      }
      return Date.now() - started;
    },
  };
}
