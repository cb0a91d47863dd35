import { expect } from 'chai';
import { pointersOf, startAdmin, type AdminSealift } from '../../settings/support/admin.ts';
import type { AttributeRow, DocumentTable } from './attribute-rows.ts';
import { documentTables } from './attribute-table.ts';

describe('the attributes of the settings documents', () => {
  let sealift: AdminSealift;

  before(async () => {
    sealift = await startAdmin();
  });

  after(() => sealift.stop());

  for (const table of documentTables) {
    describe(`${table.kind}-settings`, () => {
      beforeEach(() => sealift.forget(table.kind));

      for (const row of table.rows) describe(row.name, () => defineTests(table, row));
    });
  }

  function defineTests({ kind, rows, complete }: DocumentTable, row: AttributeRow): void {
    const { name } = row;
    const resting = rows.some((other) => other.name === 'enabled') ? { enabled: false } : {};
    const given = row.given ?? (name === 'enabled' ? complete : resting);
    const pointer = `/data/attributes/${name}`;

    if (row.initial !== undefined)
      it(`${kind} ${name} is ${JSON.stringify(row.initial)} until it is set`, async () => {
        const attributes = await sealift.read(kind);
        if (row.reads === 'never') expect(attributes).not.to.have.property(name);
        else expect(attributes[name]).to.equal(row.initial);
      });

    for (const value of row.valid) {
      it(`${kind} ${name} takes ${label(value)}, and a change that leaves it out keeps it`, async () => {
        const answer = await sealift.change(kind, { ...given, [name]: value });
        expect(answer.status, answer.text).to.equal(200);
        expectToRead(answer.body.data.attributes, value);
        expect((await sealift.change(kind, {})).status).to.equal(200);
        expectToRead(await sealift.read(kind), value);
      });
    }

    for (const value of row.invalid) {
      it(`${kind} ${name} refuses ${label(value)}, and nothing is stored`, async () => {
        const before = await sealift.read(kind);
        const answer = await sealift.change(kind, { ...given, [name]: value });
        expect(answer.status, answer.text).to.equal(422);
        expect(pointersOf(answer)).to.deep.equal([pointer]);
        expect(await sealift.read(kind)).to.deep.equal(before);
      });
    }

    for (const value of [row.wrongType, ['x'], {}]) {
      it(`${kind} ${name} refuses ${label(value)}, which has the wrong type`, async () => {
        const answer = await sealift.change(kind, { [name]: value });
        expect(answer.status).to.equal(422);
        expect(pointersOf(answer)).to.deep.equal([pointer]);
        expect(answer.body.errors[0]).to.include({ status: '422', title: 'invalid attribute' });
      });
    }

    it(`a change of ${kind} ${name} to null ${row.onNull === 'clears' ? 'clears it' : row.onNull}`, async () => {
      const value = row.valid[0];
      if (value !== undefined) await sealift.change(kind, { ...given, [name]: value });
      const answer = await sealift.change(kind, { ...resting, [name]: null });
      expect(answer.status, answer.text).to.equal(row.onNull === 'is refused' ? 422 : 200);
      if (row.reads === 'never') return;
      const left = row.onNull === 'clears' ? null : value;
      expectToRead(await sealift.read(kind), left);
    });

    function expectToRead(attributes: Record<string, unknown>, value: unknown): void {
      if (row.reads === 'never') expect(attributes).not.to.have.property(name);
      else expect(attributes[name]).to.equal(row.reads === 'masked' && value ? '*****' : value);
    }
  }
});

function label(value: unknown): string {
  return JSON.stringify(value).replace(/(-----BEGIN [A-Z ]+-----).*/, '$1…');
}
