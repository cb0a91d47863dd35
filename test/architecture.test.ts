import { expect } from 'chai';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  findLayerFaults,
  findLoaded,
  findPackageFaults,
  type Layer,
  type PackageHome,
} from './architecture/rules.ts';
import { findPassed, LIMITS, measure } from './architecture/limits.ts';
import { projectRoot, readSource, readSources } from './architecture/sources.ts';
import { findTitleFaults } from './architecture/titles.ts';

const base = ['libs/(batching|collections|config|errors|log|metrics|telling|time|tracing|validation)/'];
const resource = ['libs/(db|store|queue|crypto)/'];
const kitWithoutEngine = ['libs/(commands|connector|egress|master-key|service|settings)/'];
const kit = [...kitWithoutEngine, 'libs/sync/'];
const catalog = 'services/connectors/catalog.ts$';
const connectorKit = 'libs/(connector|egress)/';

/** Which layer may import which, from the bottom up. A file that matches no row is a fault. */
const layers: Layer[] = [
  {
    name: 'base',
    files: /^libs\/(?:batching|collections|config|errors|log|metrics|telling|time|tracing|validation)\//,
    mayImport: base,
  },
  { name: 'resource', files: /^libs\/(db|crypto)\//, mayImport: [...base, 'libs/{own}/'] },
  { name: 'queue', files: /^libs\/queue\//, mayImport: [...base, 'libs/(queue|crypto)/'] },
  {
    name: 'store',
    files: /^libs\/store\//,
    mayImport: [...base, 'libs/(store|db|crypto)/'],
    mayImportTypesOf: ['libs/queue/'],
  },
  {
    name: 'kit',
    files: /^libs\/(?:commands|connector|egress|master-key|sync|service|settings)\//,
    mayImport: [...base, ...resource, ...kit],
  },
  {
    name: 'catalog',
    files: /^services\/connectors\/catalog\.ts$/,
    mayImport: ['services/connectors/[^/]+/destination.ts$', connectorKit],
    mayImportLazily: ['services/connectors/[^/]+/connector.ts$'],
  },
  {
    name: 'connector worker',
    files: /^services\/connectors\/main\.ts$/,
    mayImport: [...base, catalog, 'libs/sync/worker.ts$'],
  },
  {
    name: 'connector',
    files: /^services\/connectors\/([^/]+)\//,
    mayImport: [...base, 'services/connectors/{own}/', connectorKit],
  },
  {
    name: 'service',
    files: /^services\/(api|settings|key-maintenance)\//,
    mayImport: [...base, ...resource, ...kitWithoutEngine, catalog, 'services/{own}/'],
  },
  {
    name: 'web console',
    files: /^services\/console\//,
    mayImport: ['services/console/', 'libs/telling/'],
    mayImportTypesOf: ['services/api/contract/'],
  },
  {
    name: 'command line',
    files: /^services\/cli\//,
    mayImport: [...base, ...resource, ...kit, catalog, 'services/cli/'],
    mayImportTypesOf: ['services/'],
    mayImportLazily: ['services/'],
  },
  { name: 'around it', files: /^(?:deploy|test|bench)\// },
];

/** The home of each package. Code outside the product (deploy, test, bench) may use any package. */
const packages: PackageHome[] = [
  {
    packages: /^(?:koa|@koa\/router|koa-body|@node-saml\/node-saml|workerpool|ws)$/,
    homes: ['services/api/'],
  },
  { packages: /^amqplib$/, homes: ['libs/queue/'] },
  { packages: /^knex$/, homes: ['libs/(db|store)/'] },
  { packages: /^pg$/, homes: ['libs/(db|store)/'] },
  {
    packages: /^(?:react|react-dom|lucide-react|vite|@xmldom\/xmldom|@vitejs\/plugin-react|@tanstack\/.*)$/,
    homes: ['services/console/'],
  },
  { packages: /^(?:node-cron|cron-parser)$/, homes: ['services/key-maintenance/'] },
  { packages: /^pino$/, homes: ['libs/log/'] },
  { packages: /^prom-client$/, homes: ['libs/metrics/'] },
  { packages: /^@opentelemetry\//, homes: ['libs/tracing/'] },
  { packages: /^(?:ajv|ajv-formats)$/, homes: ['libs/validation/'] },
  { packages: /^lossless-json$/, homes: ['libs/(validation|connector)/', 'services/(api|console)/'] },
  { packages: /^yaml$/, homes: ['services/api/log-in/'] },
  { packages: /^(?:ipaddr\.js|undici)$/, homes: ['libs/egress/'] },
  { packages: /^typebox$/ },
  { packages: /^(?:p-limit|p-retry|p-wait-for|lru-cache)$/ },
  { packages: /^jose$/, homes: ['libs/crypto/', 'services/(key-maintenance|api)/'] },
  { packages: /^(?:nodemailer|twilio)$/, homes: ['services/settings/'] },
  { packages: /^(?:commander|cli-progress|cli-table3)$/, homes: ['services/cli/'] },
  {
    packages: /^(?:@aws-sdk\/client-kms|@azure\/keyvault-keys)$/,
    homes: ['libs/master-key/'],
  },
  {
    packages: /^@azure\/(?:identity|core-rest-pipeline)$/,
    homes: ['services/connectors/azure-key-vault/', 'libs/master-key/'],
  },
  { packages: /^@(?:aws-sdk|smithy)\//, homes: ['services/connectors/aws-secrets-manager/'] },
  { packages: /^@azure\//, homes: ['services/connectors/azure-key-vault/'] },
  { packages: /^(?:@google-cloud\/|google-gax$)/, homes: ['services/connectors/google-secret-manager/'] },
  {
    packages: /^google-auth-library$/,
    homes: ['libs/master-key/key-services/', 'services/connectors/google-secret-manager/'],
  },
  { packages: /^(?:@octokit\/|libsodium-wrappers$)/, homes: ['services/connectors/github-secrets/'] },
  { packages: /^@vercel\/sdk$/, homes: ['services/connectors/vercel-env/'] },
];

const sources = readSources();
const product = sources.filter(({ path }) => /^(?:services|libs)\//.test(path));
const tests = sources.filter(({ path }) => path.endsWith('.test.ts'));

const connectorTypes = readdirSync(join(projectRoot, 'services/connectors'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function pathsWith(expression: RegExp, except: RegExp): string[] {
  return sources
    .filter(({ path, code }) => !except.test(path) && expression.test(code))
    .map(({ path }) => path);
}

describe('the architecture', () => {
  it('every file has a layer, and no file imports against the table', () => {
    expect(findLayerFaults(sources, layers)).to.deep.equal([]);
  });

  it('every package has a home, and none is imported elsewhere', () => {
    expect(findPackageFaults(product, packages)).to.deep.equal([]);
  });

  it('no service imports the main file of another', () => {
    const importers = sources.filter(({ imports }) =>
      imports.some(({ file }) => file !== undefined && /^services\/.*\/main\.ts$/.test(file)),
    );
    expect(importers.map(({ path }) => path)).to.deep.equal([]);
  });

  it('commands are sent and served by libs/commands, which checks both sides', () => {
    const importers = product.filter(
      ({ path, imports }) =>
        !/^libs\/(?:queue|commands)\//.test(path) &&
        imports.some(({ file, isType }) => !isType && file === 'libs/queue/commands.ts'),
    );
    expect(importers.map(({ path }) => path)).to.deep.equal([]);
  });

  it('the catalog loads neither an engine nor a vendor SDK', () => {
    const { files, packages: loaded } = findLoaded(sources, 'services/connectors/catalog.ts');
    expect([...files].filter((path) => path.startsWith('libs/sync/'))).to.deep.equal([]);
    const light = /^(?:typebox|ajv|ajv-formats|ipaddr\.js|lossless-json)$/;
    expect([...loaded].filter((name) => !light.test(name))).to.deep.equal([]);
  });

  it('a command of the command line loads no large library before it needs one', () => {
    const { packages: loaded } = findLoaded(sources, 'services/cli/main.ts');
    expect([...loaded].toSorted()).to.deep.equal(['cli-table3', 'commander', 'lossless-json']);
  });

  it('built-in modules are named with their prefix', () => {
    const builtIn =
      /from '(?:fs|path|http|https|net|tls|os|url|util|crypto|events|stream|buffer|process)(?:\/[a-z]+)?'/;
    expect(pathsWith(builtIn, /^test\/architecture/)).to.deep.equal([]);
  });

  it('the environment is read in libs/config only', () => {
    const environment = /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\[|from 'node:process'/;
    expect(pathsWith(environment, /^(?:libs\/config|deploy|test|bench)\//)).to.deep.equal([]);
  });

  it('standard output is written in libs/log and the command line only', () => {
    const output = /\bconsole\s*\.|\bprocess\s*\.\s*(?:stdout|stderr)\b/;
    expect(pathsWith(output, /^(?:libs\/log|services\/cli|deploy|test|bench)\//)).to.deep.equal([]);
  });

  it('files, functions and folders stay within their limits', () => {
    expect(findPassed(measure(product))).to.deep.equal([]);
  });

  it('a limit that is passed is told', () => {
    const crowded = Array.from({ length: LIMITS.folderFiles + 1 }, (_, index) =>
      readSource(`libs/crowd/file-${index}.ts`, ''),
    );
    const long = readSource('libs/long/file.ts', `function long() {${'\n'.repeat(LIMITS.file)}}\n`);
    expect(findPassed(measure([...crowded, long]))).to.deep.equal([
      `lines of libs/long/file.ts: ${LIMITS.file + 1}, at most ${LIMITS.file}`,
      `lines of a function in libs/long/file.ts: ${LIMITS.file + 1}, at most ${LIMITS.functionLines}`,
      `files in libs/crowd: ${LIMITS.folderFiles + 1}, at most ${LIMITS.folderFiles}`,
    ]);
  });

  for (const type of connectorTypes) {
    it(`the connector ${type} is known in every place where a destination type is named`, () => {
      const folder = `services/connectors/${type}`;
      for (const file of ['destination.ts', 'connector.ts', 'failures.ts']) {
        expect(existsSync(join(projectRoot, folder, file)), `${folder}/${file}`).to.equal(true);
      }
      const importsOf = (path: string): (string | undefined)[] =>
        sources.find((source) => source.path === path)?.imports.map(({ file }) => file) ?? [];
      expect(importsOf('services/connectors/catalog.ts')).to.include(`${folder}/destination.ts`);
      const isTested = tests.some(({ path }) => path.startsWith(`test/connectors/${type}/`));
      expect(isTested, `test/connectors/${type}`).to.equal(true);
      expect(importsOf('test/sandbox/fakes.ts')).to.include(`test/sandbox/${type}/fake.ts`);
    });
  }
});

describe('the tables of the architecture', () => {
  const faultsOf = (path: string, text: string): string[] => [
    ...findLayerFaults([readSource(path, text)], layers),
    ...findPackageFaults([readSource(path, text)], packages),
  ];

  const forbidden: [string, string][] = [
    ['libs/other/a.ts', ''],
    ['services/other/a.ts', ''],
    ['scripts/a.ts', ''],
    ['libs/log/a.ts', `import { connect } from '../db/connect.ts';`],
    ['libs/db/a.ts', `import { seal } from '../crypto/seal.ts';`],
    ['libs/store/a.ts', `import { createWorkNotifier } from '../queue/work-notifications.ts';`],
    ['libs/connector/a.ts', `export * from '../../services/connectors/catalog.ts';`],
    ['services/api/a.ts', `import { b } from '../settings/b.ts';`],
    ['services/api/a.ts', `import { planOrder } from '../../libs/sync/push/plan.ts';`],
    ['services/api/a.ts', `import type { Sight } from '../../libs/sync/commands/verify.ts';`],
    ['services/api/a.ts', `import { b } from '../connectors/cloud1-sm/destination.ts';`],
    ['services/api/a.ts', `const path = 'b'; await import(path);`],
    ['services/cli/a.ts', `import { startApi } from '../api/start.ts';`],
    ['services/connectors/catalog.ts', `import { connector } from './cloud1-sm/connector.ts';`],
    ['services/connectors/a/b.ts', `import { c } from '../c/connector.ts';`],
    ['services/connectors/a/b.ts', `import type { Database } from '../../../libs/db/connect.ts';`],
    ['services/connectors/a/b.ts', `type Queue = import('../../../libs/queue/broker.ts').Broker;`],
    ['services/connectors/a/b.ts', `import { push } from '../../../libs/sync/push/push.ts';`],
    ['services/connectors/a/b.ts', `export { openContext } from '../../../libs/service/context.ts';`],
    ['services/connectors/a/destination.ts', `import '../../../libs/sync/worker.ts';`],
    ['services/console/src/a.tsx', `import { presentRow } from '../../api/presenters/summary.ts';`],
    ['services/console/src/a.tsx', `import { something } from '../../api/contract/associations.ts';`],
    ['services/api/a.ts', `import { useState } from 'react';`],
    ['services/settings/a.ts', `import Koa from 'koa';`],
    ['services/api/a.ts', `import { connect } from 'amqplib';`],
    ['services/api/a.ts', `import knex, { type Knex } from 'knex';`],
    ['services/api/a.ts', `import type { Knex } from 'knex';`],
    ['services/connectors/azure-key-vault/a.ts', `await import('@aws-sdk/client-secrets-manager');`],
    ['libs/config/a.ts', `import left from 'left-pad';`],
  ];
  for (const [path, text] of forbidden) {
    it(`the tables refuse ${text === '' ? 'a file' : text} at ${path}`, () => {
      expect(faultsOf(path, text)).to.have.length(1);
    });
  }

  const allowed: [string, string][] = [
    ['services/console/src/a.tsx', `import type { RowAnswer } from '../../api/contract/associations.ts';`],
    ['libs/store/a.ts', `import type { DueWork } from '../queue/work-notifications.ts';`],
    ['services/api/a.ts', `import { catalog } from '../connectors/catalog.ts';`],
    ['services/cli/a.ts', `const { startApi } = await import('../api/start.ts');`],
    ['services/connectors/a/b.ts', `import { fetchGuarded } from '../../../libs/egress/fetch.ts';`],
    ['services/connectors/main.ts', `import { runConnector } from '../../libs/sync/worker.ts';`],
    ['services/api/a.ts', `// import '../settings/b.ts';`],
  ];
  for (const [path, text] of allowed) {
    it(`the tables allow ${text} at ${path}`, () => {
      expect(faultsOf(path, text)).to.deep.equal([]);
    });
  }
});

describe('the tests', () => {
  it('every test has a title of its own', () => {
    const repeated = tests.flatMap(({ path, titles }) =>
      titles.filter((title, index) => titles.indexOf(title) !== index).map((title) => `${path}: ${title}`),
    );
    expect(repeated).to.deep.equal([]);
  });

  it('every title is a whole sentence', () => {
    expect(findTitleFaults(sources)).to.deep.equal([]);
  });

  it('no test is skipped, and none runs alone', () => {
    const left =
      /\b(?:describe|context|suite|it|specify|test)\.(?:only|skip)\b|\bthis\.skip\(|\b(?:xit|xdescribe|xcontext)\(/;
    expect(tests.length).to.be.above(0);
    expect(pathsWith(left, /^test\/architecture\.test\.ts$/)).to.deep.equal([]);
  });
});
