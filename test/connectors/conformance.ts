import { expect } from 'chai';
import type { Connector, Destination } from '../../libs/connector/contract.ts';
import { startConnectorWorker } from '../../libs/connector/engine/worker.ts';
import type { Fake, PlantedEntry } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

/** What the suite has to know of a destination type. */
export type Subject<TestFake extends Fake = Fake> = {
  destination: Destination;
  connector: Connector;
  startFake: () => Promise<TestFake>;
  /** Environment of the worker that points the connector at the fake. */
  environment: (fake: TestFake) => Record<string, string>;
  /** Settings with which the fake lets everything through. */
  settings: (fake: TestFake) => Record<string, unknown>;
  /** A change of credentials that a person would make after a revocation. */
  newCredentials: Record<string, unknown>;
  /** An entry as somebody else would have made it. */
  foreign: (name: string, value: string) => PlantedEntry;
  /** The fake's operations that write a value, and those that delete an entry. */
  writes: string[];
  removes: string[];
  /** A key that cannot be made a name of this store; absent where normalising mends every one. */
  badKey?: string;
  /** How one throttles: the fault's extras. */
  throttle?: Record<string, unknown>;
};

/** The same claims for every destination type, through the real API, broker, database and SDK. */
export function describeConformance<TestFake extends Fake>(subject: Subject<TestFake>): void {
  const { destination } = subject;
  const byKey = destination.defaultGranularity === 'secret-key';
  const template = byKey ? 'conf-{{ .SecretPath }}-{{ .SecretKey }}' : 'conf-{{ .SecretPath }}';
  const outside = (value: string): string => (byKey ? value : JSON.stringify({ value }));

  describe(`${destination.type} conforms`, function () {
    this.timeout(30_000);
    let fake: TestFake;
    let sealift: Sealift;
    let driver: SyncDriver;
    let count = 0;

    before(async () => {
      fake = await subject.startFake();
      const environment = subject.environment(fake);
      sealift = await startSealift({
        environment: {
          CALL_TIMEOUT: '1000',
          LEASE: '6000',
          RETRY_MIN: '60',
          RETRY_MAX: '500',
          SWEEP_INTERVAL: '200',
          EGRESS_ALLOW: '127.0.0.0/8,localhost',
        },
        workers: {
          connector: (context) =>
            startConnectorWorker(
              context,
              { destination, connector: subject.connector },
              { environment: (name) => environment[name] },
            ),
        },
      });
    });

    after(async () => {
      await sealift?.stop();
      await fake?.close();
    });

    beforeEach(async () => {
      fake.reset();
      count += 1;
      driver = createSyncDriver(sealift, destination.type, `d${count}`);
      await configure({});
    });

    afterEach(async () => {
      await sealift.client.delete(`${driver.path}?force_delete=true`);
    });

    const configure = async (options: Record<string, unknown>): Promise<void> => {
      const answer = await driver.configure({
        ...subject.settings(fake),
        secret_name_template: template,
        ...options,
      });
      expect(answer.status, answer.text).to.equal(200);
    };
    const secretName = (): string => `s${count}`;
    const value = (name: string): string | null | undefined =>
      fake.entries().find((entry) => entry.name === name)?.value;
    const writesSoFar = (): number =>
      fake.calls().filter((call) => subject.writes.includes(call.operation)).length;
    const synced = async (content: string): Promise<string> => {
      await driver.write(secretName(), { value: content });
      const answer = await driver.associate(secretName());
      expect(answer.status, answer.text).to.equal(200);
      const [record] = await driver.settles(secretName(), 'SYNCED');
      expect(value(record?.external_name ?? '')).to.equal(outside(content));
      return record?.external_name ?? '';
    };
    // The name an association is going to have, learnt without any call to the store.
    const plannedName = async (): Promise<string> => {
      await driver.write(secretName(), { value: 'mine' });
      const plan = await sealift.client.post(`${driver.path}/associations/plan`, {
        mount: 'secret',
        secret_name: secretName(),
      });
      expect(plan.status, plan.text).to.equal(200);
      return JSON.stringify(plan.body).match(/"external_name":"([^"]+)"/)?.[1] ?? '';
    };

    it('a newly associated secret is in the store when set says SYNCED', async () => {
      await driver.write(secretName(), { value: 'first' });
      const answer = await driver.associate(secretName());
      const [record] = Object.values(answer.body.data.associated_secrets) as {
        sync_status: string;
        external_name: string;
      }[];
      if (record?.sync_status === 'SYNCED') expect(value(record.external_name)).to.equal(outside('first'));
      await driver.settles(secretName(), 'SYNCED');
    });

    it('an update of a known entry is one vendor call', async () => {
      const name = await synced('one');
      fake.clearCalls();
      await driver.write(secretName(), { value: 'two' });
      await eventually(() => value(name) === outside('two'));
      await driver.settles(secretName(), 'SYNCED');
      expect(fake.calls().map((call) => call.operation)).to.have.length(1);
    });

    it('an unchanged value costs no vendor call, whether refreshed or written again', async () => {
      await synced('same');
      fake.clearCalls();
      await driver.associate(secretName());
      await driver.settles(secretName(), 'SYNCED');
      const version = await driver.write(secretName(), { value: 'same' });
      await eventually(async () => (await driver.records(secretName()))[0]?.synced_version === version);
      expect(fake.calls()).to.deep.equal([]);
    });

    it('a changed template writes the new name first and then deletes the old one', async () => {
      const old = await synced('kept');
      fake.clearCalls();
      const answer = await driver.patch({ secret_name_template: `new-${template}` });
      expect(answer.status, answer.text).to.equal(200);
      await eventually(() => value(old) === undefined);
      const [record] = await driver.settles(secretName(), 'SYNCED');
      expect(record?.external_name).to.not.equal(old);
      expect(value(record?.external_name ?? '')).to.equal(outside('kept'));
      const order = fake.calls().map((call) => call.operation);
      const firstRemove = order.findIndex((operation) => subject.removes.includes(operation));
      const lastWrite = order.findLastIndex((operation) => subject.writes.includes(operation));
      expect(lastWrite).to.be.lessThan(firstRemove);
    });

    it('deleting the newest version falls back to the highest live one; with none left the entry goes and a write brings it back', async () => {
      const name = await synced('v1');
      await driver.write(secretName(), { value: 'v2' });
      await eventually(() => value(name) === outside('v2'));
      await sealift.client.delete(`/v1/secret/data/${secretName()}`);
      await eventually(() => value(name) === outside('v1'));
      await sealift.client.post(`/v1/secret/delete/${secretName()}`, { versions: [1] });
      await eventually(() => value(name) === undefined);
      await driver.settles(secretName(), 'UNSYNCED');
      await driver.write(secretName(), { value: 'v3' });
      await eventually(() => value(name) === outside('v3'));
      await driver.settles(secretName(), 'SYNCED');
    });

    it('removing the association deletes the entry, also one that is gone already', async () => {
      const name = await synced('short-lived');
      expect((await driver.dissociate(secretName())).status).to.equal(200);
      await eventually(() => value(name) === undefined);
      await eventually(async () => (await driver.records(secretName())).length === 0);

      const again = await synced('short-lived');
      fake.reset();
      await driver.dissociate(secretName());
      await eventually(async () => (await driver.records(secretName())).length === 0);
      expect(value(again)).to.equal(undefined);
    });

    it('deletion_policy retain leaves the entry outside', async () => {
      await configure({ deletion_policy: 'retain' });
      const name = await synced('retained');
      await driver.dissociate(secretName());
      await eventually(async () => (await driver.records(secretName())).length === 0);
      expect(value(name)).to.equal(outside('retained'));
    });

    it('an entry that somebody deleted outside is made again by the next change', async () => {
      const name = await synced('before');
      fake.reset();
      await driver.write(secretName(), { value: 'after' });
      await eventually(() => value(name) === outside('after'));
      await driver.settles(secretName(), 'SYNCED');
    });

    it('conflict_policy refuse leaves a foreign entry as it is and says so', async () => {
      const name = await plannedName();
      fake.plant(subject.foreign(name, 'theirs'));
      await driver.associate(secretName());
      const [record] = await driver.settles(secretName(), 'CLIENT_SIDE_ERROR');
      expect(record?.cause?.code).to.equal('conflict');
      expect(value(name)).to.equal('theirs');
      await driver.dissociate(secretName());
      await eventually(async () => (await driver.records(secretName())).length === 0);
      expect(value(name)).to.equal('theirs');
    });

    for (const policy of ['overwrite', 'adopt']) {
      it(`conflict_policy ${policy} takes a foreign entry over`, async () => {
        await configure({ conflict_policy: policy });
        const name = await plannedName();
        fake.plant(subject.foreign(name, 'theirs'));
        await driver.associate(secretName());
        await driver.settles(secretName(), 'SYNCED');
        expect(value(name)).to.equal(outside('mine'));
        await driver.write(secretName(), { value: 'next' });
        await eventually(() => value(name) === outside('next'));
      });
    }

    it('an entry of ours that the ledger lost is recognised by its mark or refused, never silently taken', async () => {
      const name = await synced('ours');
      await sealift.client.delete(`${driver.path}?force_delete=true`);
      await configure({});
      await driver.associate(secretName());
      await eventually(async () => {
        const [record] = await driver.records(secretName());
        expect(record?.sync_status).to.be.oneOf(['SYNCED', 'CLIENT_SIDE_ERROR']);
        return true;
      });
      expect(value(name)).to.equal(outside('ours'));
    });

    it('foreign entries around ours are never touched', async () => {
      for (const name of ['OTHER_ONE', 'OTHER_TWO']) fake.plant(subject.foreign(name, `${name}-value`));
      const planted = (): string =>
        JSON.stringify(fake.entries().filter((entry) => entry.name.startsWith('OTHER')));
      const initially = planted();
      await synced('x');
      await driver.patch({ secret_name_template: `again-${template}` });
      await driver.settles(secretName(), 'SYNCED');
      await driver.dissociate(secretName());
      await eventually(async () => (await driver.records(secretName())).length === 0);
      expect(planted()).to.equal(initially);
    });

    it('a value the store cannot hold is refused before any call, and the entry keeps its last value', async () => {
      const name = await synced('small');
      fake.clearCalls();
      await driver.write(secretName(), { value: 'x'.repeat(destination.limits.valueBytes + 1) });
      const [record] = await driver.settles(secretName(), 'CLIENT_SIDE_ERROR');
      expect(record?.cause?.code).to.equal('value_too_large');
      expect(fake.calls()).to.deep.equal([]);
      expect(value(name)).to.equal(outside('small'));
    });

    it('with secret-key each key has its own entry, and a removed key is removed outside', async () => {
      await configure({
        granularity: 'secret-key',
        secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}',
      });
      await driver.write(secretName(), { alpha: 'a', beta: 'b', number: 7 });
      await driver.associate(secretName());
      const records = await driver.settles(secretName(), 'SYNCED');
      expect(records.map((record) => record.sub_key).toSorted()).to.deep.equal(['alpha', 'beta', 'number']);
      const nameOf = (key: string): string =>
        records.find((record) => record.sub_key === key)?.external_name ?? '';
      expect(['alpha', 'beta', 'number'].map((key) => value(nameOf(key)))).to.deep.equal(['a', 'b', '7']);
      await driver.write(secretName(), { alpha: 'a2', number: 7 });
      await eventually(() => value(nameOf('beta')) === undefined && value(nameOf('alpha')) === 'a2');
      expect(value(nameOf('number'))).to.equal('7');
    });

    it('with secret-key one bad key does not stop the others', async () => {
      await configure({
        granularity: 'secret-key',
        secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}',
      });
      await driver.write(secretName(), { good: 'g', huge: 'x'.repeat(destination.limits.valueBytes + 1) });
      await driver.associate(secretName());
      const records = await eventually(async () => {
        const found = await driver.records(secretName());
        expect(found.map((record) => `${record.sub_key} ${record.sync_status}`).toSorted()).to.deep.equal([
          'good SYNCED',
          'huge CLIENT_SIDE_ERROR',
        ]);
        return found;
      });
      expect(value(records.find((record) => record.sub_key === 'good')?.external_name ?? '')).to.equal('g');
    });

    it('a throttling store is obeyed: THROTTLED with its time, then SYNCED', async () => {
      const name = await synced('calm');
      fake.addFault({
        kind: 'throttle',
        operation: subject.writes,
        times: 1,
        retryAfterSeconds: 1,
        ...subject.throttle,
      });
      fake.clearCalls();
      await driver.write(secretName(), { value: 'waited' });
      const [record] = await driver.settles(secretName(), 'THROTTLED');
      expect(Date.parse(record?.next_attempt_at ?? '')).to.be.greaterThan(Date.now() - 1000);
      await driver.settles(secretName(), 'SYNCED');
      expect(value(name)).to.equal(outside('waited'));
      const [refused, accepted] = fake.calls().filter((call) => subject.writes.includes(call.operation));
      expect((accepted?.at ?? 0) - (refused?.at ?? 0)).to.be.at.least(950);
    });

    it('an outage is told as EXTERNAL_SERVICE_ERROR with the next attempt, and ends by itself', async () => {
      const name = await synced('up');
      fake.addFault({ kind: 'error', operation: subject.writes });
      await driver.write(secretName(), { value: 'after the outage' });
      await eventually(async () => {
        const [record] = await driver.records(secretName());
        expect(record?.cause?.class).to.equal('EXTERNAL_SERVICE_ERROR');
        expect(record?.sync_status).to.equal('EXTERNAL_SERVICE_ERROR');
        expect(record?.next_attempt_at).to.be.a('string');
        return true;
      });
      fake.clearFaults();
      await driver.settles(secretName(), 'SYNCED', 20_000);
      expect(value(name)).to.equal(outside('after the outage'));
    });

    it('a hanging store is given up in time and tried again', async () => {
      const name = await synced('quick');
      fake.addFault({ kind: 'hang', operation: subject.writes, times: 1 });
      await driver.write(secretName(), { value: 'after the hang' });
      await eventually(() => value(name) === outside('after the hang'), { limitMs: 15_000 });
      await driver.settles(secretName(), 'SYNCED');
    });

    it('revoked credentials are a person’s matter: no retry, until they change', async () => {
      const name = await synced('trusted');
      fake.addFault({ kind: 'revoked' });
      await driver.write(secretName(), { value: 'with new credentials' });
      const [record] = await driver.settles(secretName(), 'CLIENT_SIDE_ERROR');
      expect(record?.next_attempt_at).to.equal(null);
      fake.clearFaults();
      await driver.patch(subject.newCredentials);
      await eventually(() => value(name) === outside('with new credentials'));
      await driver.settles(secretName(), 'SYNCED');
    });

    it('a connection that is cut after the change was applied leads to the right value all the same', async () => {
      const name = await synced('whole');
      fake.addFault({ kind: 'cut-after', operation: subject.writes, times: 1 });
      await driver.write(secretName(), { value: 'cut' });
      await driver.settles(secretName(), 'SYNCED', 15_000);
      expect(value(name)).to.equal(outside('cut'));
    });

    it('a first write that is cut off is finished, never reported before, and stays ours', async () => {
      await driver.write(secretName(), { value: 'first try' });
      fake.addFault({ kind: 'cut-after', operation: subject.writes, times: 1 });
      await driver.associate(secretName());
      const [record] = await driver.settles(secretName(), 'SYNCED', 15_000);
      expect(value(record?.external_name ?? '')).to.equal(outside('first try'));
      await driver.dissociate(secretName());
      await eventually(() => value(record?.external_name ?? '') === undefined);
    });

    it('a stale read after a write leads to no wrong decision', async () => {
      const name = await synced('old');
      fake.addFault({ kind: 'stale-read' });
      await driver.write(secretName(), { value: 'new' });
      await eventually(() => value(name) === outside('new'));
      await driver.settles(secretName(), 'SYNCED');
      fake.clearFaults();
      expect(value(name)).to.equal(outside('new'));
    });

    it('a newer value wins over an older push still in flight', async () => {
      const name = await synced('v1');
      fake.addFault({ kind: 'slow', delayMs: 500, operation: subject.writes, times: 1 });
      const before = writesSoFar();
      await driver.write(secretName(), { value: 'v2' });
      await eventually(() => writesSoFar() > before);
      const version = await driver.write(secretName(), { value: 'v3' });
      await eventually(async () => {
        const [record] = await driver.records(secretName());
        return record?.sync_status === 'SYNCED' && record.synced_version === version;
      });
      expect(value(name)).to.equal(outside('v3'));
    });

    it('a hundred secrets at once end up in the store exactly as in the source', async function () {
      this.timeout(60_000);
      const most = Math.min(100, destination.limits.entries ?? 100);
      const names = Array.from({ length: most }, (_, index) => `${secretName()}x${index}`);
      await Promise.all(names.map((name) => driver.write(name, { value: `value of ${name}` })));
      const answers = await Promise.all(names.map((name) => driver.associate(name)));
      expect(answers.map((answer) => answer.status)).to.deep.equal(names.map(() => 200));
      await Promise.all(names.map((name) => driver.write(name, { value: `newer value of ${name}` })));
      const records = await eventually(
        async () => {
          const all = await driver.records();
          const bad = all.filter((record) => record.sync_status !== 'SYNCED' || record.synced_version !== 2);
          expect(bad).to.deep.equal([]);
          return all;
        },
        { limitMs: 45_000, everyMs: 200 },
      );
      const held = Object.fromEntries(
        records.map((record) => [record.secret_name, value(record.external_name)]),
      );
      expect(held).to.deep.equal(
        Object.fromEntries(names.map((name) => [name, outside(`newer value of ${name}`)])),
      );
      expect(fake.entries()).to.have.length(most);
    });

    it('check says ok with good credentials, and what is wrong with revoked ones', async () => {
      const good = await sealift.client.post(`${driver.path}/check`);
      expect(good.status, good.text).to.equal(200);
      expect(good.body.data.ok).to.equal(true);
      fake.addFault({ kind: 'revoked' });
      const bad = await sealift.client.post(`${driver.path}/check`);
      expect(bad.body.data.ok).to.equal(false);
      expect(bad.body.data.cause.class).to.equal('CLIENT_SIDE_ERROR');
    });

    it('verify tells an entry that was deleted outside', async () => {
      await synced('watched');
      const verify = async (): Promise<string> =>
        (
          await sealift.client.post(`${driver.path}/associations/verify`, {
            mount: 'secret',
            secret_name: secretName(),
          })
        ).text;
      expect(await verify()).to.match(/"state":"(in_sync|present)"/);
      fake.reset();
      expect(await verify()).to.contain('"state":"missing"');
    });
  });
}
