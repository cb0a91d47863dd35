import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runCommand, runOnTerminal } from './support.ts';

const PASSPHRASE = 'correct horse battery staple';
const VALUE = 'a-value-that-nobody-may-see';

describe('`kv export` and `kv import`', () => {
  // Each verb runs in its own process.
  let sealift: Sealift;
  let folder: string;
  let passphraseFile: string;
  let number = 0;

  before(async () => {
    sealift = await startSealift();
    folder = mkdtempSync(join(tmpdir(), 'sealift-archive-'));
    passphraseFile = join(folder, 'passphrase');
    writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
    await sealift.client.post('/v1/sys/namespaces/from');
    const mount = (path: string, body: object) =>
      sealift.client.post(`/v1/sys/mounts/${path}`, body, { namespace: 'from' });
    await mount('team/kv', { type: 'kv-v2', description: 'of the team' });
    await mount('plain', { type: 'kv', options: { version: '1' } });
    await write('team/kv/config', { max_versions: 7, cas_required: true });
    for (const version of [1, 2, 3])
      await write('team/kv/data/app/db', {
        data: { n: version, secret: VALUE },
        options: { cas: version - 1 },
      });
    await write('team/kv/delete/app/db', { versions: [2] });
    await write('team/kv/destroy/app/db', { versions: [1] });
    await write('team/kv/metadata/app/db', { custom_metadata: { owner: 'red' }, max_versions: 5 });
    await write('team/kv/data/ü b/ö', { data: { 'k ä': '✓' }, options: { cas: 0 } });
    await write('team/kv/data/gone', { data: { a: 1 }, options: { cas: 0 } });
    await write('team/kv/delete/gone', { versions: [1] });
    await write('plain/old/one', { secret: VALUE });
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await sealift.stop();
  });

  const write = async (path: string, body: object, namespace = 'from'): Promise<void> => {
    const { status } = await sealift.client.post(`/v1/${path}`, body, { namespace });
    expect(status, path).to.be.lessThan(300);
  };
  const read = async (path: string, namespace: string) =>
    (await sealift.client.get(`/v1/${path}`, { namespace })).body.data;
  const run = (words: string[], namespace: string, input?: string) =>
    runCommand(
      [...words, ...(words.includes('--passphrase-file') ? [] : ['--passphrase-file', passphraseFile])],
      { SEALIFT_URL: sealift.url, SEALIFT_TOKEN: sealift.token, SEALIFT_NAMESPACE: namespace },
      input,
    );
  const makeNamespace = async (): Promise<string> => {
    const name = `to-${(number += 1)}`;
    await sealift.client.post(`/v1/sys/namespaces/${name}`);
    return name;
  };
  const exportAll = async (...words: string[]): Promise<string> => {
    const file = join(folder, `archive-${(number += 1)}`);
    const ended = await run(['kv', 'export', file, ...words], 'from');
    expect(ended.code, ended.stderr).to.equal(0);
    expect(ended.stdout + ended.stderr).not.to.contain(VALUE);
    return file;
  };
  const importInto = async (namespace: string, file: string, ...words: string[]) => {
    const ended = await run(['kv', 'import', file, '--json', ...words], namespace);
    expect(ended.stdout + ended.stderr).not.to.contain(VALUE);
    return { ...ended, counts: ended.stdout === '' ? undefined : JSON.parse(ended.stdout) };
  };

  it('`kv import` makes what `kv export` read: values, versions, settings and mounts', async () => {
    const file = await exportAll('--all-versions');
    const to = await makeNamespace();
    const { code, counts, stderr } = await importInto(to, file);
    expect([code, counts], stderr).to.deep.equal([
      0,
      { written: 3, same: 0, different: 0, failed: 0, mounts: 2, dry_run: false },
    ]);
    expect(await read('team/kv/data/app/db', to)).to.deep.include({ data: { n: 3, secret: VALUE } });
    expect(await read('team/kv/config', to)).to.deep.equal(await read('team/kv/config', 'from'));
    expect((await read('team/kv/data/%C3%BC%20b/%C3%B6', to)).data).to.deep.equal({ 'k ä': '✓' });
    expect(await read('plain/old/one', to)).to.deep.equal({ secret: VALUE });
    const [source, made] = await Promise.all(['from', to].map((one) => read('team/kv/metadata/app/db', one)));
    expect(made).to.deep.include({ custom_metadata: { owner: 'red' }, max_versions: 5, current_version: 3 });
    const states = ({
      versions,
    }: {
      versions: Record<string, { deletion_time: string; destroyed: boolean }>;
    }) => Object.values(versions).map((one) => [one.deletion_time !== '', one.destroyed]);
    expect(states(made)).to.deep.equal(states(source));
  });

  it('`kv export` writes a file that only its owner reads, without a value in the clear', async () => {
    const file = await exportAll();
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).to.contain('"mount":"team/kv","path":"app/db"').and.not.contain(VALUE);
    expect(text).not.to.contain(Buffer.from(VALUE).toString('base64').slice(4, 20));
    const again = await run(['kv', 'export', file], 'from');
    expect([again.code, readFileSync(file, 'utf8')]).to.deep.equal([1, text]);
  });

  it('`kv export` of named mounts has only those, and names what has no value', async () => {
    const file = join(folder, 'named');
    const { stdout, stderr } = await run(['kv', 'export', file, 'team/kv', '--json'], 'from');
    expect(JSON.parse(stdout)).to.deep.equal({ mounts: 1, secrets: 2, skipped: 1, denied: 0 });
    expect(stderr).to.contain('team/kv/gone: skipped');
    expect((await run(['kv', 'export', join(folder, 'none'), 'nomount'], 'from')).code).to.equal(3);
    expect(existsSync(join(folder, 'none'))).to.equal(false);
  });

  it('`kv export` goes on past what the token may not list or read, names it and ends with 4', async () => {
    const allow = (path: string, ...capabilities: string[]): string =>
      `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`;
    const policy = [
      allow('plain/*', 'read'),
      allow('team/kv/metadata/*', 'read', 'list'),
      allow('team/kv/data/app/*', 'read'),
    ].join('\n');
    await write('sys/policies/acl/partial', { policy });
    const made = await sealift.client.post(
      '/v1/auth/token/create',
      { policies: ['partial'] },
      { namespace: 'from' },
    );
    const file = join(folder, 'partial');
    const ended = await runCommand(['kv', 'export', file, '--json', '--passphrase-file', passphraseFile], {
      SEALIFT_URL: sealift.url,
      SEALIFT_TOKEN: made.body.auth.client_token,
      SEALIFT_NAMESPACE: 'from',
    });
    expect(ended.code, ended.stderr).to.equal(4);
    expect(JSON.parse(ended.stdout)).to.deep.equal({ mounts: 2, secrets: 1, skipped: 1, denied: 2 });
    expect(ended.stderr)
      .to.contain('plain/: nothing of it is exported, the token may not list it')
      .and.to.contain('team/kv/ü b/ö: not exported, the token may not read it');
    const to = await makeNamespace();
    expect((await importInto(to, file)).counts).to.include({ written: 1, failed: 0 });
    expect((await read('team/kv/data/app/db', to)).data).to.deep.equal({ n: 3, secret: VALUE });
  });

  it('an import that is repeated or was interrupted completes, and writes nothing twice', async () => {
    const file = await exportAll('--all-versions');
    const to = await makeNamespace();
    await importInto(to, file);
    const { code, counts } = await importInto(to, file);
    expect([code, counts.written, counts.same, counts.mounts]).to.deep.equal([0, 0, 3, 0]);
    expect((await read('team/kv/metadata/app/db', to)).current_version).to.equal(3);
    const half = await makeNamespace();
    await sealift.client.post('/v1/sys/mounts/team/kv', { type: 'kv-v2' }, { namespace: half });
    const { custom_metadata, max_versions } = await read('team/kv/metadata/app/db', 'from');
    await write('team/kv/metadata/app/db', { custom_metadata, max_versions }, half);
    await write('team/kv/data/app/db', { data: {} }, half);
    await write('team/kv/destroy/app/db', { versions: [1] }, half);
    expect((await importInto(half, file)).counts).to.include({ written: 3, different: 0 });
    expect(await read('team/kv/metadata/app/db', half)).to.include({ current_version: 3 });
  });

  it('`kv import` leaves another value alone, unless it may overwrite, and then adds a version', async () => {
    const file = await exportAll();
    const to = await makeNamespace();
    await sealift.client.post('/v1/sys/mounts/team/kv', { type: 'kv-v2' }, { namespace: to });
    await write('team/kv/data/app/db', { data: { mine: 1 } }, to);
    const refused = await importInto(to, file);
    expect([refused.code, refused.counts.different, refused.counts.written]).to.deep.equal([1, 1, 2]);
    expect(refused.stderr).to.contain('team/kv/app/db: something else is there');
    expect((await read('team/kv/data/app/db', to)).data).to.deep.equal({ mine: 1 });
    const tried = await importInto(to, file, '--overwrite', '--dry-run');
    expect([tried.code, tried.counts.written]).to.deep.equal([0, 1]);
    expect((await read('team/kv/data/app/db', to)).data).to.deep.equal({ mine: 1 });
    expect((await importInto(to, file, '--overwrite')).code).to.equal(0);
    expect((await read('team/kv/data/app/db', to)).data).to.deep.equal({ n: 3, secret: VALUE });
    expect((await read('team/kv/data/app/db?version=1', to)).data).to.deep.equal({ mine: 1 });
  });

  it('nothing is imported with a wrong passphrase', async () => {
    const file = await exportAll();
    const to = await makeNamespace();
    const words = ['kv', 'import', file, '--passphrase-file', '-'];
    const wrong = await run(words, to, 'another passphrase');
    expect(wrong.code).to.equal(4);
    expect(wrong.stderr).to.contain('the passphrase is wrong');
    expect((await sealift.client.get('/v1/sys/mounts', { namespace: to })).body.data).not.to.have.any.keys(
      'plain/',
    );
    expect((await run(words, to, PASSPHRASE)).code).to.equal(0);
  });

  it('nothing is imported from a file that was cut or changed', async () => {
    const file = await exportAll();
    const to = await makeNamespace();
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const secrets = lines.flatMap((line, index) => (line.includes('"secret"') ? [index] : []));
    const [first = 0, second = 0] = secrets;
    const swapped = lines.with(first, lines[second] ?? '').with(second, lines[first] ?? '');
    const names = [first, second].map((index) => JSON.parse(lines[index] ?? ''));
    const renamed = lines.with(first, JSON.stringify({ ...names[0], path: 'elsewhere' }));
    const moved = lines
      .with(first, JSON.stringify({ ...names[0], sealed: names[1].sealed }))
      .with(second, JSON.stringify({ ...names[1], sealed: names[0].sealed }));
    const cases = {
      cut: lines.slice(0, -1),
      swapped,
      renamed,
      moved,
      'left out': lines.toSpliced(second, 1),
      'cut, with a last line': lines.toSpliced(-2, 1),
      'cut, with a count that fits': [
        ...lines.slice(0, -2),
        (lines.at(-1) ?? '').replace(/"lines":\d+/, `"lines":${lines.length - 3}`),
      ],
      'cut within a line': [...lines.slice(0, -1), (lines.at(-1) ?? '').slice(0, 20)],
      'one line more': [...lines, lines[first] ?? ''],
    };
    for (const [name, changed] of Object.entries(cases)) {
      const damaged = join(folder, 'damaged');
      writeFileSync(damaged, `${changed.join('\n')}\n`);
      const { code, stderr } = await importInto(to, damaged);
      expect([code, stderr.includes('the file is damaged')], name).to.deep.equal([1, true]);
    }
    const mounts = await sealift.client.get('/v1/sys/mounts', { namespace: to });
    expect(mounts.body.data).not.to.have.any.keys('plain/', 'team/kv/');
  });

  it('a terminal asks twice for a new passphrase and shows none of it', async () => {
    const file = join(folder, 'typed');
    const environment = { SEALIFT_URL: sealift.url, SEALIFT_TOKEN: sealift.token, SEALIFT_NAMESPACE: 'from' };
    const differing = await runOnTerminal(['kv', 'export', file], environment, {
      'Passphrase: ': `${PASSPHRASE}\r`,
      'The same again: ': `${PASSPHRASE}?\r`,
    });
    expect([differing.code, existsSync(file)], differing.shown).to.deep.equal([2, false]);
    const stopped = await runOnTerminal(['kv', 'export', file], environment, { 'Passphrase: ': '\u0003' });
    expect([stopped.code, existsSync(file)], stopped.shown).to.deep.equal([2, false]);
    const typed = await runOnTerminal(['kv', 'export', file], environment, {
      'Passphrase: ': `${PASSPHRASE}\r`,
      'The same again: ': `${PASSPHRASE}\r`,
    });
    expect(typed.code, typed.shown).to.equal(0);
    for (const { shown } of [differing, typed]) expect(shown).not.to.contain(PASSPHRASE.slice(0, 3));
    const opened = await runOnTerminal(['kv', 'import', file, '--dry-run'], environment, {
      'Passphrase: ': `${PASSPHRASE}\r`,
    });
    expect(opened.code, opened.shown).to.equal(0);
    expect(opened.shown).to.contain('there already');
  });

  it('a passphrase is never taken from an argument, and a short one is refused', async () => {
    const file = join(folder, 'short');
    const short = await run(['kv', 'export', file, '--passphrase-file', '-'], 'from', 'short');
    expect([short.code, existsSync(file)]).to.deep.equal([2, false]);
    const words = ['kv', 'export', file];
    const environment = { SEALIFT_URL: sealift.url, SEALIFT_TOKEN: sealift.token, SEALIFT_NAMESPACE: 'from' };
    const unasked = await runCommand(words, environment);
    expect(unasked.code).to.equal(2);
    expect(unasked.stderr).to.contain('--passphrase-file');
    expect((await runCommand([...words, '--passphrase', PASSPHRASE], environment)).code).to.equal(2);
  });
});
