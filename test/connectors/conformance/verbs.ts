import { randomUUID } from 'node:crypto';
import type { Session } from '../../../libs/connector/contract.ts';
import type { Fake } from '../../sandbox/contract.ts';
import { openWarm } from './failure-table.ts';
import { describePuts } from './puts.ts';
import { describeReads } from './reads.ts';
import { describeTags } from './tags.ts';
import type { VerbsOfStore, VerbStage } from './verb-table.ts';

/** What each verb of a store does and which calls it takes, from a table: the same claims for all stores. */
export function describeVerbs<TestFake extends Fake>(table: VerbsOfStore<TestFake>): void {
  describe(`verbs of ${table.destination.type}`, () => {
    let fake: TestFake;
    const sessions: Session[] = [];

    const open: VerbStage['open'] = async (context) => {
      const session = await openWarm(table, fake, context);
      sessions.push(session);
      return session;
    };

    const stage: VerbStage = {
      get fake() {
        return fake;
      },
      get session() {
        const [first] = sessions;
        if (!first) throw new Error('no claim has begun');
        return first;
      },
      open,
      plant: (whose, more = {}) => fake.plant({ name: table.name, value: whose, ...table[whose], ...more }),
      key: (name = table.name) => table.keyOf?.(fake, name) ?? { name, reference: null },
      entry: (change = {}) => ({
        name: table.name,
        reference: null,
        value: 'new',
        tags: {},
        expect: 'absent',
        token: randomUUID(),
        ...change,
      }),
      stored: (name = table.name) => fake.entries().find((entry) => entry.name === name),
    };

    before(async () => {
      fake = await table.startFake();
    });
    beforeEach(async () => {
      fake.reset();
      await open();
    });
    afterEach(async () => {
      for (const session of sessions.splice(0)) await session.close?.();
    });
    after(() => fake.close());

    describePuts(table, stage);
    describeReads(table, stage);
    if (table.destination.tags) describeTags(table, stage);
  });
}
