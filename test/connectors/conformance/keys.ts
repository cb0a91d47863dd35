import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { Stage } from './stage.ts';

/** Granularity by key, and values or names that a store cannot hold. */
export function describeKeys(stage: Stage): void {
  const { subject } = stage;

  it('a value the store cannot hold is refused before any call', async () => {
    const name = await stage.synced('small');
    stage.fake.clearCalls();
    await stage.driver.write(stage.secretName(), {
      value: 'x'.repeat(subject.destination.limits.valueBytes + 1),
    });
    const [record] = await stage.driver.settles(stage.secretName(), 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('value_too_large');
    expect(stage.fake.calls()).to.deep.equal([]);
    expect(stage.value(name)).to.equal(stage.outside('small'));
  });

  it('each key has its own entry with granularity secret-key', async () => {
    await stage.configure({
      granularity: 'secret-key',
      secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}',
    });
    await stage.driver.write(stage.secretName(), { alpha: 'a', beta: 'b', number: 7 });
    await stage.driver.associate(stage.secretName());
    const records = await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(records.map((record) => record.sub_key).toSorted()).to.deep.equal(['alpha', 'beta', 'number']);
    const nameOf = (key: string): string =>
      records.find((record) => record.sub_key === key)?.external_name ?? '';
    expect(['alpha', 'beta', 'number'].map((key) => stage.value(nameOf(key)))).to.deep.equal(['a', 'b', '7']);
    await stage.driver.write(stage.secretName(), { alpha: 'a2', number: 7 });
    await eventually(
      () => stage.value(nameOf('beta')) === undefined && stage.value(nameOf('alpha')) === 'a2',
    );
    expect(stage.value(nameOf('number'))).to.equal('7');
  });

  it('keys that no ledger could hold are refused alone', async () => {
    await stage.configure({
      granularity: 'secret-key',
      secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}',
    });
    await stage.driver.write(stage.secretName(), { good: 'g' });
    await stage.driver.associate(stage.secretName());
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    const long = randomBytes(3000).toString('base64');
    await stage.driver.write(stage.secretName(), {
      good: 'better',
      'half \ud800': 'h',
      'nul \0': 'n',
      [long]: 'l',
    });
    const records = await eventually(async () => {
      const found = await stage.driver.records(stage.secretName());
      expect(found.map(({ sync_status: status }) => status).toSorted()).to.deep.equal([
        'CLIENT_SIDE_ERROR',
        'CLIENT_SIDE_ERROR',
        'CLIENT_SIDE_ERROR',
        'SYNCED',
      ]);
      return found;
    });
    const good = records.find(({ sub_key: key }) => key === 'good');
    expect(good?.sync_status).to.equal('SYNCED');
    expect(stage.value(good?.external_name ?? '')).to.equal('better');
    const codes = records.flatMap(({ cause }) => (cause ? [cause.code] : []));
    expect(codes).to.deep.equal(['name_invalid', 'name_invalid', 'name_invalid']);
    await stage.driver.write(stage.secretName(), { good: 'best' });
    await stage.driver.settles(stage.secretName(), 'SYNCED');
  });

  it('a value arrives as it is or is refused alone, and is never changed on the way', async () => {
    await stage.configure({
      granularity: 'secret-key',
      secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}',
    });
    const values = { good: 'ü 𝒳 \u2028 \t\r\n "\\', half: 'a\ud800b', nul: 'a\0b' };
    await stage.driver.write(stage.secretName(), values);
    await stage.driver.associate(stage.secretName());
    const holdsNull = subject.destination.limits.refuses === undefined;
    const records = await eventually(async () => {
      const found = await stage.driver.records(stage.secretName());
      const shown = found.map((record) => `${record.sub_key} ${record.cause?.code ?? record.sync_status}`);
      expect(shown.toSorted()).to.deep.equal([
        'good SYNCED',
        'half value_unwritable',
        holdsNull ? 'nul SYNCED' : 'nul value_unwritable',
      ]);
      return found;
    });
    for (const { sub_key: key, external_name: name, sync_status: status } of records)
      if (status === 'SYNCED') expect(stage.value(name)).to.equal(values[key as keyof typeof values]);
  });

  it('a name that two keys come to stays with the key that has it, and unlinking leaves nothing', async () => {
    await stage.configure({
      granularity: 'secret-key',
      secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}',
    });
    await stage.driver.write(stage.secretName(), { 'x?y': 'first' });
    await stage.driver.associate(stage.secretName());
    const [only] = await stage.driver.settles(stage.secretName(), 'SYNCED');
    const name = only?.external_name ?? '';
    const statuses = async (expected: string[]): Promise<void> => {
      await eventually(async () => {
        const found = await stage.driver.records(stage.secretName());
        const shown = found.map((record) => `${record.sub_key} ${record.cause?.code ?? record.sync_status}`);
        expect(shown.toSorted()).to.deep.equal(expected);
        return true;
      });
    };
    await stage.driver.write(stage.secretName(), { 'x!y': 'other', 'x?y': 'second' });
    await statuses(['x!y name_collision', 'x?y SYNCED']);
    expect(stage.value(name)).to.equal('second');
    await stage.driver.write(stage.secretName(), { 'x!y': 'other' });
    await eventually(() => stage.value(name) === 'other');
    await statuses(['x!y SYNCED']);
    // One write adds both new keys.
    await stage.driver.write(stage.secretName(), { 'x!y': 'other', 'p?q': 'one', 'p!q': 'two' });
    await statuses(['p!q name_collision', 'p?q SYNCED', 'x!y SYNCED']);
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.fake.entries().filter((entry) => entry.name.toLowerCase().startsWith('key'))).to.deep.equal(
      [],
    );
  });

  it('one bad key does not stop the others with granularity secret-key', async () => {
    await stage.configure({
      granularity: 'secret-key',
      secret_name_template: 'key-{{ .SecretPath }}-{{ .SecretKey }}',
    });
    await stage.driver.write(stage.secretName(), {
      good: 'g',
      huge: 'x'.repeat(subject.destination.limits.valueBytes + 1),
    });
    await stage.driver.associate(stage.secretName());
    const records = await eventually(async () => {
      const found = await stage.driver.records(stage.secretName());
      expect(found.map((record) => `${record.sub_key} ${record.sync_status}`).toSorted()).to.deep.equal([
        'good SYNCED',
        'huge CLIENT_SIDE_ERROR',
      ]);
      return found;
    });
    expect(stage.value(records.find((record) => record.sub_key === 'good')?.external_name ?? '')).to.equal(
      'g',
    );
  });
}
