import { expect } from 'chai';
import { isSensitive, settingsOf } from '../../../libs/connector/settings.ts';
import { catalog } from '../../../services/connectors/catalog.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

describe('credentials that a call of a store cannot carry', () => {
  let sealift: Sealift;
  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  for (const type of catalog)
    it(`a credential of ${type.type} with a line feed or other letters is refused where it enters`, async () => {
      const fields = Object.entries(settingsOf(type))
        .filter(([field, schema]) => isSensitive(type, field) && 'type' in schema && schema.type === 'string')
        .map(([field]) => field);
      expect(fields).to.not.have.length(0);
      const path = `/v1/sys/sync/destinations/${type.type}/carried`;
      // A destination has identity tokens or credentials.
      const stored = fields.filter((field) => !field.startsWith('identity_token_'));
      const others = Object.fromEntries(stored.map((field) => [field, 'a-key']));
      for (const field of fields)
        for (const value of ['key\n', 'AKIA…', 'a b'])
          for (const address of [path, `${path}/check`]) {
            const { status, body } = await sealift.client.post(address, { ...others, [field]: value });
            expect(status, `${field}: ${value}`).to.equal(400);
            expect(body.errors.join('\n'), `${field}: ${value}`).to.match(
              new RegExp(`^(the )?${field}\\b(?! is required)`, 'm'),
            );
          }
    });
});
