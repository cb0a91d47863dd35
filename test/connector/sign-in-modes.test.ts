import { expect } from 'chai';
import { identityModeOf } from '../../libs/connector/identity/identity.ts';
import { settingsOf } from '../../libs/connector/settings.ts';
import { catalog } from '../../services/connectors/catalog.ts';

describe('the ways to sign in that forms offer', () => {
  for (const type of catalog.filter(({ modes }) => modes !== undefined)) {
    it(`each way of ${type.title} names its settings, and what it requires leads to it`, () => {
      const settings = Object.keys(settingsOf(type));
      for (const { mode, fields, required } of type.modes ?? []) {
        expect(settings, mode).to.include.members([...fields, ...required]);
        expect(fields, mode).to.include.members(required);
        const given = Object.fromEntries(required.map((name) => [name, 'given']));
        expect(identityModeOf(type, given)).to.equal(mode);
      }
    });
  }
});
