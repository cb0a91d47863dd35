import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../deploy/local/root.ts';
import { argumentsOf, environmentOf, findServices } from '../../deploy/local/services.ts';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../libs/service/runtime.ts';
import { spawnProcess } from '../support/child-process.ts';
import { createDatabase } from '../support/database.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';

const folder = join(projectRoot, 'dist/programs');
const LARGE =
  /^(?:@aws-sdk|@azure|@google-cloud|@octokit|@opentelemetry\/sdk|@node-saml|@vercel|google-|libsodium|twilio|undici$)/;

/** The packages in the files that a program loads before anything is imported on demand. */
function packagesAtStart(program: string): Set<string> {
  const files = new Set(['main.js']);
  const packages = new Set<string>();
  // The loop also visits the files that it adds.
  for (const file of files) {
    const text = readFileSync(join(folder, program, file), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:^|;)(?:im|ex)port[^;]*?["'`]\.\/([^"'`]+)["'`]/gm))
      files.add(imported);
    // Only the bundler's own helpers have no map.
    const map = join(folder, program, `${file}.map`);
    if (!existsSync(map)) continue;
    for (const source of (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources)
      packages.add(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? 'our own');
  }
  return packages;
}

describe('the bundled programs', () => {
  it('a program holds its packages, and loads no vendor SDK and no other large one at its start', () => {
    const programs = readdirSync(folder);
    expect(programs).to.have.members(['api', 'cli', 'connectors', 'key-maintenance', 'settings']);
    expect([...packagesAtStart('api')]).to.include.members(['koa', 'knex', 'pg', 'amqplib', 'pino']);
    for (const program of programs)
      expect(
        [...packagesAtStart(program)].filter((name) => LARGE.test(name)),
        program,
      ).to.deep.equal([]);
  });

  it('a program that runs no connector has none, and a worker has each in a file of its own', () => {
    const holders = readdirSync(folder).filter((program) =>
      readdirSync(join(folder, program)).includes('github-secrets.js'),
    );
    expect(holders.toSorted()).to.deep.equal(['cli', 'connectors']);
  });

  it('no program asks who calls it, for which Node.js would keep its whole source map', () => {
    const askers = readdirSync(folder).filter((program) =>
      readdirSync(join(folder, program)).some(
        (file) =>
          file.endsWith('.js') && readFileSync(join(folder, program, file), 'utf8').includes('getCallSites'),
      ),
    );
    expect(askers).to.deep.equal([]);
  });

  it('no program imports node:http whole, for which Node.js would load its own fetch', () => {
    const importers = readdirSync(folder).filter((program) =>
      readdirSync(join(folder, program)).some(
        (file) =>
          file.endsWith('.js') &&
          /(?:from|import)\s*\(?["'`](?:node:)?http["'`]/.test(
            readFileSync(join(folder, program, file), 'utf8'),
          ),
      ),
    );
    expect(importers).to.deep.equal([]);
  });

  it('the image, the systemd units and `make up` start Node.js with the same flags', () => {
    const root = mkdtempSync(join(tmpdir(), 'sealift-image-'));
    try {
      const program = join(root, 'dist/programs/api');
      mkdirSync(program, { recursive: true });
      copyFileSync(join(projectRoot, 'deploy/container/sealift'), join(root, 'sealift'));
      const tell = 'console.log(JSON.stringify([process.execArgv, process.env.MALLOC_ARENA_MAX]))';
      writeFileSync(join(program, 'main.js'), tell);
      const { MALLOC_ARENA_MAX: _, ...environment } = process.env;
      const output = execFileSync('sh', [join(root, 'sealift'), 'api'], { env: environment });
      expect(JSON.parse(output.toString())).to.deep.equal([NODE_FLAGS, NODE_ENVIRONMENT.MALLOC_ARENA_MAX]);
    } finally {
      rmSync(root, { recursive: true });
    }
    for (const service of [...findServices(), ...findServices({ oneProcess: true })])
      expect(argumentsOf(service).slice(0, NODE_FLAGS.length), service.name).to.deep.equal(NODE_FLAGS);
    expect(environmentOf({}, { healthPort: 1, apiPort: 2 })).to.include(NODE_ENVIRONMENT);
  });

  it('the trace of an error in a bundled program names the sources and their lines', async () => {
    const database = await createDatabase();
    const start = (fill: number) =>
      spawnProcess('programs/settings/main.js', {
        NODE_OPTIONS: '--enable-source-maps',
        DATABASE_URL: database.url,
        AMQP_URL: infrastructure().amqpUrl,
        AMQP_PREFIX: `programs-${process.pid}`,
        SEALIFT_MASTER_KEY: Buffer.alloc(32, fill).toString('base64'),
        LOG_LEVEL: 'error',
      });
    try {
      const first = await start(1);
      await first.ready();
      await first.kill();
      const second = await start(2);
      expect(await second.ended).to.equal(1);
      const { at } = (JSON.parse(second.output()) as { error: { at: string[] } }).error;
      const [, file = '', line = ''] = /(libs\/\S+\.ts):(\d+)/.exec(at[0] ?? '') ?? [];
      expect(file, at.join('\n')).to.not.equal('');
      const source = readFileSync(join(projectRoot, file), 'utf8').split('\n');
      expect(source[Number(line) - 1]).to.match(/Error\(/);
    } finally {
      await deleteQueues(infrastructure().amqpUrl, `programs-${process.pid}`);
      await database.drop();
    }
  });
});
