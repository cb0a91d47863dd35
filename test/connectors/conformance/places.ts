import { expect } from 'chai';
import type { Stage } from './stage.ts';

/** The place of entries and what encrypts them, for types with such settings. */
export type Places = {
  /** Settings, each with the properties that the fake shows of an entry made with them. */
  rows: [settings: Record<string, unknown>, entry: Record<string, unknown>][];
  /** True if the store fixes the place of an entry when it creates it. */
  isFixed: boolean;
};

/** Tests of settings that decide the place of entries. */
export function describePlaces(stage: Stage): void {
  const { rows, isFixed } = stage.subject.places ?? { rows: [], isFixed: false };
  const shown = (name: string) => stage.fake.entries().find((entry) => entry.name === name);

  for (const [settings, entry] of rows)
    it(`the settings ${Object.keys(settings).join(' and ')} read back as sent and reach the store`, async () => {
      await stage.configure(settings);
      const { body } = await stage.sealift.client.get(stage.driver.path);
      expect(body.data.connection_details).to.deep.include(settings);
      expect(shown(await stage.synced('placed'))).to.deep.include(entry);
    });

  if (rows.length === 0) return;
  if (isFixed)
    it('a change of place or key is refused while there are associations, and says what to do', async () => {
      for (const [settings] of rows) {
        await stage.synced('stays');
        const answer = await stage.driver.patch(settings);
        expect(answer.status, answer.text).to.equal(400);
        expect(answer.body.errors.join()).to.match(/cannot change while .* remove the associations first/);
      }
    });
  else
    it('a change of place or key is followed by what is out there already', async () => {
      const name = await stage.synced('moves');
      for (const [settings, entry] of rows) {
        await stage.configure(settings);
        await stage.driver.settles(stage.secretName(), 'SYNCED');
        expect(shown(name)).to.deep.include({ ...entry, value: stage.outside('moves') });
      }
    });
}
