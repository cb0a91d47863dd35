import { eventually } from '../support/eventually.ts';
import type { Caller } from './caller.ts';
import type { Store } from './checker.ts';
import { RecoveryError } from './fault.ts';

/** One extra secret in every store. Its sync shows whether the system works again. */
export type Canary = {
  /** Writes a new value and waits until every store has it. Returns the milliseconds. */
  measure: (limitMs: number) => Promise<number>;
  /**
   * Lets this caller write new values until every store has one of them. It writes more than once, because an API announces
   * nothing while it has no channel to the broker.
   */
  writeUntilHeard: (by: Caller, limitMs: number) => Promise<void>;
};

// AWS keeps a hundred versions of an entry and accepts no more within a day. A value may be written more than once.
const MOST_VERSIONS = 50;
/** How often a value is written that no store has heard of. */
export const REPEAT_MS = 4000;

/** Makes a destination of each type and associates the secret with each. */
export async function createCanary(caller: Caller, stores: Map<string, Store>): Promise<Canary> {
  let round = 0;
  let number = 0;
  const linked = new Set<string>();
  const isFull = ({ fake }: Store): boolean =>
    fake.entries().some(({ name, versions = 0 }) => name === `canary${number}` && versions >= MOST_VERSIONS);
  // Returns the number of the value.
  const write = async (by = caller): Promise<number> => {
    if ([...stores.values()].some(isFull)) number += 1;
    const secret = `canary${number}`;
    const isNew = !linked.has(secret);
    linked.add(secret);
    round += 1;
    const written = round;
    await by.send('POST', `/v1/secret/data/${secret}`, { data: { a: `sign of life ${written}` } });
    const link = { mount: 'secret', secret_name: secret };
    for (const type of isNew ? stores.keys() : [])
      await by.send('POST', `/v1/sys/sync/destinations/${type}/canary/associations/set`, link);
    return written;
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
  const numberIn = (value: string | null): number => Number(/sign of life (\d+)/.exec(value ?? '')?.[1]);
  // The types whose store has neither this value nor a later one.
  const without = (written: number): string[] => {
    const hasIt = ({ fake }: Store) =>
      fake.entries().some(({ name, value }) => /^canary/i.test(name) && numberIn(value) >= written);
    return [...stores].filter(([, store]) => !hasIt(store)).map(([type]) => type);
  };
  const describe = async (type: string): Promise<string> => {
    const path = `/v1/sys/sync/destinations/${type}/canary/associations`;
    const { answer } = await caller.send('GET', path);
    return `${type} has no sign of life: ${JSON.stringify(answer.body.data)}`;
  };
  const arrive = async (written: number, limitMs: number): Promise<void> => {
    try {
      await eventually(() => without(written).length === 0, { limitMs, everyMs: 10 });
    } catch {
      throw new RecoveryError((await Promise.all(without(written).map(describe))).join('\n'));
    }
  };
  return {
    measure: async (limitMs) => {
      const started = Date.now();
      await arrive(await write(), limitMs);
      return Date.now() - started;
    },
    writeUntilHeard: async (by, limitMs) => {
      const end = Date.now() + limitMs;
      const first = await write(by);
      for (;;) {
        const leftMs = end - Date.now();
        try {
          return await arrive(first, Math.min(REPEAT_MS, leftMs));
        } catch (error) {
          if (leftMs <= REPEAT_MS) throw error;
        }
        await write(by);
      }
    },
  };
}
