import { expect } from 'chai';
import { findConnectorFiles } from '../../deploy/local/connector-files.ts';
import { readLoadedFiles } from '../../deploy/local/loaded-files.ts';
import { findServices, programOf } from '../../deploy/local/services.ts';

describe('the files that a process loads', () => {
  it('a process loads the files of its own connector type alone', async () => {
    const connectors = await findConnectorFiles();
    const files = readLoadedFiles();
    for (const service of findServices()) {
      const never = [...connectors].filter(([type]) => type !== service.name).map(([, file]) => file);
      const loaded = files.list(programOf(service), never);
      const own = connectors.get(service.name);
      expect(
        loaded.filter((file) => [...connectors.values()].includes(file)),
        service.name,
      ).to.deep.equal(own ? [own] : []);
      expect(loaded.some((file) => file.endsWith('/program.js'))).to.equal(true);
    }
  });
});
