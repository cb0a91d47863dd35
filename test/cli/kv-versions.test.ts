import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf } from './support.ts';

describe('versions of secrets by the command line', () => {
  // Each verb runs in its own process.
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const { run, json } = commandsOf(() => sealift);

  it('`kv rollback`, `undelete` and `destroy` change what `history` shows, without a value', async () => {
    await json('kv put secret/app/db password=the-first-one');
    await json('kv put secret/app/db password=the-second-one');
    expect((await run('kv rollback secret/app/db --to 1 --cas 1')).code).to.equal(1);
    expect((await run('kv rollback secret/app/db --to 1 --cas 2')).stdout).to.equal(
      'secret/app/db has version 3 now, with the values of 1\n',
    );
    expect((await json('kv get secret/app/db')).data).to.deep.equal({ password: 'the-first-one' });
    await json('kv delete secret/app/db');
    await json('kv delete secret/app/db --versions 1');
    expect((await run('kv undelete secret/app/db')).stdout).to.equal('secret/app/db: undeleted\n');
    expect(await json('kv undelete secret/app/db --versions 1')).to.deep.equal({ undeleted: [1] });
    await json('kv delete secret/app/db --versions 1');
    expect((await run('kv destroy secret/app/db --versions 2')).stdout).to.equal(
      'secret/app/db: destroyed\n',
    );
    const { stdout } = await run('kv history secret/app/db');
    expect(stdout).to.not.include('-one');
    const lines = stdout.trim().split('\n');
    expect(lines).to.have.length(4);
    expect(lines[1]).to.match(/^3 +\S+ +root/);
    expect(lines[2]).to.match(/^2 .*destroyed$/);
    expect(lines[3]).to.match(/^1 .*deleted \S+Z$/);
    expect((await run('kv rollback secret/app/db --to 2')).stderr).to.include('version 2 is destroyed');
  });

  it('`kv metadata` shows and changes limits and custom metadata, and leaves the rest', async () => {
    await json('kv put secret/app/kept a=1');
    await json('kv metadata secret/app/kept --max-versions 3 --custom owner=team-a --custom note=a=b');
    const shown = await json(
      'kv metadata secret/app/kept --cas-required --delete-version-after 1h --remove-custom owner',
    );
    expect(shown).to.deep.include({
      max_versions: 3,
      cas_required: true,
      delete_version_after: '1h0m0s',
      custom_metadata: { note: 'a=b' },
    });
    expect(await json('kv metadata secret/app/kept --no-cas-required')).to.include({ cas_required: false });
    expect((await run('kv metadata secret/app/kept')).stdout).to.match(/max_versions +3/);
    expect((await run('kv metadata secret/app/kept --max-versions 0')).stdout).to.match(
      /max_versions +0: as the mount says, the usual 10\n/,
    );
    await sealift.client.post('/v1/secret/config', { max_versions: 4 });
    expect((await run('kv metadata secret/app/kept')).stdout).to.match(
      /max_versions +0: as the mount says, 4\n/,
    );
    expect(await json('kv metadata secret/app/kept')).to.include({ max_versions: 0 });
    expect((await run('kv metadata secret/app/kept --custom owner')).code).to.equal(2);
    expect((await run('kv metadata secret/app/none')).code).to.equal(3);
  });

  it('`kv readers` tells who may read a secret, and by which policy', async () => {
    await json('kv put secret/app/read a=1');
    const { stdout } = await run('kv readers secret/app/read');
    expect(stdout).to.match(/^token +root +root +root +never expires/m);
    const answer = await json('kv readers secret/app/read');
    expect(answer.tokens.map(({ name }: { name: string }) => name)).to.include('root');
  });
});
