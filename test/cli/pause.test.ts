import { expect } from 'chai';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runCommand } from './support.ts';

describe('pausing by the command line', function () {
  this.timeout(90_000);
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
  });
  after(() => sealift.stop());

  const run = (words: string) =>
    runCommand(words.split(' '), { SEALIFT_URL: sealift.url, SEALIFT_TOKEN: sealift.token });
  const json = async (words: string) => {
    const ended = await run(`${words} --json`);
    expect(ended.code, ended.stderr).to.equal(0);
    return JSON.parse(ended.stdout);
  };

  it('`pause` and `resume` hold one destination, or all, with a reason', async () => {
    await json('destination put repo-host/held access_token=x repository_owner=o repository_name=r');
    const pause = 'destination pause repo-host/held --reason moving --until 2099-01-31T08:00:00Z';
    expect((await json(pause)).paused).to.include({ reason: 'moving', until: '2099-01-31T08:00:00.000Z' });
    expect((await run('destination get repo-host/held')).stdout).to.contain('moving');
    expect((await run('destination resume repo-host/held')).stdout).to.equal('repo-host/held: resumed\n');
    expect(await json('destination get repo-host/held')).to.not.have.property('paused');
    expect((await run('pause --reason audit')).stdout).to.equal('syncing is paused\n');
    expect(await json('resume')).to.include({ disabled: false, paused: null });
    const wrong = await run('destination pause repo-host/held --until tomorrow');
    expect(wrong.code).to.not.equal(0);
    expect(wrong.stderr).to.contain('until');
    expect((await run('destination delete repo-host/held')).code).to.equal(0);
  });
});
