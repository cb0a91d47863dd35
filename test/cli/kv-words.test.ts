import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { commandsOf } from './support.ts';

describe('what `kv` takes and shows', function () {
  // Each verb runs in its own process.
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const { run, json } = commandsOf(() => sealift);

  it('`kv get` tells an empty text, a dash and nothing apart, and `kv put` refuses double keys', async () => {
    await json('kv put secret/alike empty= dash=\\-  none:=null quoted="" text:="-"'.replace('  ', ' '));
    const { stdout } = await run('kv get secret/alike');
    const shown = Object.fromEntries(stdout.split('\n').map((line) => line.split(/ +/)));
    expect(shown).to.include({ empty: '""', dash: '-', none: 'null', quoted: String.raw`"\"\""`, text: '-' });
    const twice = await run('kv put secret/alike a=1 b=2 a:=3');
    expect([twice.code, twice.stderr]).to.deep.equal([2, 'sealift: the key a is given twice\n']);
    expect((await json('kv get secret/alike')).data).to.have.property('empty', '');
  });

  it('a missing mount is told to who may read all mounts, and is a missing right for others', async () => {
    const missing = await run('kv get nomount/x');
    expect(missing.code).to.equal(3);
    expect(missing.stderr).to.include('no mount of the namespace contains nomount/x');
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['default'] });
    const environment = { SEALIFT_TOKEN: made.body.auth.client_token as string };
    for (const name of ['nomount/x', 'secret/x'])
      expect((await run(`kv get ${name}`, { environment })).code, name).to.equal(4);
    const refused = 'permission denied: the token is unknown or expired, or lacks the right';
    for (const [place, settings] of Object.entries({
      'to do this': { SEALIFT_TOKEN: 'unknown' },
      'in the namespace nosuch, if there is one': { SEALIFT_NAMESPACE: 'nosuch' },
    }))
      expect((await run('kv get secret/x', { environment: settings })).stderr).to.equal(
        `sealift: ${refused} ${place}\n`,
      );
  });
});
