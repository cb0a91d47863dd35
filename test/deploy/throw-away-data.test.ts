import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startPostgres } from '../../deploy/local/postgres.ts';
import { makePrivateFolder } from '../support/private-folder.ts';

describe('the data of a database that is thrown away', () => {
  it('a database that is thrown away leaves nothing in memory', async () => {
    const { directory, discard } = makePrivateFolder('throw-away');
    await startPostgres({ directory: join(directory, 'postgres'), throwAway: true });
    const data = join(directory, 'postgres/data');
    const place = lstatSync(data).isSymbolicLink() ? readlinkSync(data) : data;
    // Elsewhere a killed server would leave it behind.
    expect(readdirSync(join(place, 'pg_dynshmem'))).to.not.deep.equal([]);
    await discard();
    expect(existsSync(place)).to.equal(false);
  });
});
