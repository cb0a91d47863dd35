import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { renderFragments } from '../../deploy/check/fragments.ts';
import { projectRoot } from '../../deploy/local/root.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import type { Fake } from '../sandbox/contract.ts';
import { startProcess, type ServiceProcess } from '../support/child-process.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';
import { destination } from './sixth-type/destination.ts';
import { startLockboxFake } from './sixth-type/fake.ts';

const build = join(projectRoot, 'dist');
const LINE = "{ destination: lockbox, load: () => import('./lockbox/connector.js') },";

/** Copies the product and adds one folder and one line to the catalog. Returns the copy's place below the build. */
function addType(): string {
  const copy = mkdtempSync(join(build, 'new-type-'));
  for (const folder of ['libs', 'services'])
    cpSync(join(build, folder), join(copy, folder), { recursive: true });
  for (const file of ['destination.js', 'failures.js', 'connector.js'])
    cpSync(join(build, 'test/connectors/sixth-type', file), join(copy, 'services/connectors/lockbox', file));
  const file = join(copy, 'services/connectors/catalog.js');
  const text = readFileSync(file, 'utf8').replace('const entries = [', `const entries = [ ${LINE}`);
  const line = "import { destination as lockbox } from './lockbox/destination.js';\n";
  writeFileSync(file, line + text);
  return copy;
}

describe('a further type, made of its folder and one line of the catalog', () => {
  let copy: string;
  let sealift: Sealift;
  let fake: Fake;
  let worker: ServiceProcess;

  before(async () => {
    copy = addType();
    catalog.push(destination);
    fake = await startLockboxFake();
    sealift = await startSealift({ environment: { EGRESS_ALLOW: '127.0.0.0/8' } });
    const program = join(relative(build, copy), 'services/connectors/main.js lockbox');
    worker = await startProcess(program, sealift.environment);
  });
  after(async () => {
    await worker?.kill();
    await sealift?.stop();
    await fake?.close();
    catalog.splice(catalog.indexOf(destination), 1);
    rmSync(copy, { recursive: true, force: true });
  });

  it('the worker of a new type starts, and a secret that is written reaches its store', async () => {
    const driver = createSyncDriver(sealift, 'lockbox', 'prod');
    const settings = { address: fake.url, box: 'team', access_key: 'key-first' };
    const answer = await driver.configure({ ...settings, secret_name_template: '{{ .SecretPath }}' });
    expect(answer.status, answer.text).to.equal(200);
    await driver.write('app', { token: 'the value' });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
    expect(fake.entries().map(({ name, value }) => [name, value])).to.deep.equal([
      ['app', '{"token":"the value"}'],
    ]);
  });

  it('the command line knows a new type', async () => {
    const program = join(copy, 'services/cli/main.js');
    const run = promisify(execFile)(process.execPath, [program, 'serve', 'connector', 'unknown'], {
      env: { ...process.env, ...sealift.environment },
    });
    const { stderr } = await run.then(
      () => expect.fail('an unknown type is served'),
      (error: { stderr: string }) => error,
    );
    expect(stderr).to.contain('lockbox');
  });

  it('compose file, chart, units, README and manual would tell of a new type', async () => {
    const files = await renderFragments();
    const mentions: [file: string, text: string | RegExp][] = [
      ['README.md', /^\| `lockbox` +\| the destination's own `address` +\|$/m],
      ['deploy/compose.yaml', '    command: [connector-lockbox]\n    networks: [inside, outside]\n'],
      ['deploy/chart/values.yaml', '\n  lockbox: { enabled: true, resources: {}, egress: [] }\n'],
      ['deploy/systemd/sealift.target', '\nWants=sealift@connector-lockbox.service\n'],
      ['deploy/systemd/environment/connector-lockbox.env', /^HEALTH_PORT=9208\n$/],
      ['docs/causes.md', '## Only of Lockbox\n'],
      ['docs/destinations.md', '## Lockbox\n\nIn paths: `lockbox`'],
    ];
    for (const [file, text] of mentions)
      if (typeof text === 'string') expect(files.get(file), file).to.contain(text);
      else expect(files.get(file), file).to.match(text);
  });
});
