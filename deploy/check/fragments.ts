import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import type { Destination } from '../../libs/connector/contract.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { projectRoot } from '../local/root.ts';
import { describeCauses } from './causes.ts';
import { describeIdentityProviders } from './identity-providers.ts';
import { describeDestinations } from './destinations.ts';
import { describeErrors } from './errors.ts';
import { describeRoutes } from './routes.ts';

// A fragment is between two lines with these words. It has a part for each destination type, route or identity provider.
const BEGIN = /\b(?:types|routes|providers):begin\b/;
const END = /\b(?:types|routes|providers):end\b/;
const ENVIRONMENTS = 'deploy/systemd/environment';

const FRAGMENTS: Record<string, (types: Destination[]) => string> = {
  'README.md': (types) => ['\n| type | setting |', '| --- | --- |', ...types.map(rowOf)].join('\n') + '\n\n',
  'deploy/compose.yaml': (types) => types.map(serviceOf).join('\n'),
  'deploy/compose.ha.yaml': (types) => types.map(({ type }) => `  connector-${type}: *twice\n`).join('\n'),
  'deploy/compose.one.yaml': (types) => types.map(({ type }) => `  connector-${type}: *not-apart\n`).join(''),
  'deploy/chart/values.yaml': (types) =>
    types.map(({ type }) => `  ${type}: { enabled: true, resources: {}, egress: [] }\n`).join(''),
  'deploy/chart/templates/_helpers.tpl': (types) => {
    const readers = types.filter(({ credentialFiles }) => credentialFiles === true);
    const components = readers.map(({ type }) => `connector-${type}`).join(' ');
    return `{{- define "sealift.credentialReaders" -}}\n${components}\n{{- end }}\n`;
  },
  'docs/from-vault.md': describeRoutes,
  'docs/single-sign-on.md': describeIdentityProviders,
  'deploy/systemd/sealift.target': (types) =>
    types.map(({ type }) => `Wants=sealift@connector-${type}.service\n`).join(''),
};

/** Renders all files that list destination types, routes or identity providers. Returns their text by path. */
export async function renderFragments(types: Destination[] = catalog): Promise<Map<string, string>> {
  const files = new Map(
    Object.entries(FRAGMENTS).map(([file, write]) => [file, replace(file, read(file), write(types))]),
  );
  files.set('docs/causes.md', describeCauses(types));
  files.set('docs/destinations.md', describeDestinations(types));
  files.set('docs/errors.md', describeErrors());
  for (const [file, text] of environmentsOf(types)) files.set(file, text);
  for (const [file, text] of files)
    if (file.endsWith('.md'))
      files.set(file, await format(text, { parser: 'markdown', singleQuote: true, printWidth: 110 }));
  return files;
}

/** One sentence for each file that differs from what the code renders. */
export async function findFragmentFaults(): Promise<string[]> {
  const files = await renderFragments();
  return [...files]
    .filter(([file, text]) => !existsSync(join(projectRoot, file)) || read(file) !== text)
    .map(([file]) => `${file} is not as the code says: npm run fragments writes it`);
}

/** Writes the files that `findFragmentFaults` would report. */
export async function writeFragments(): Promise<void> {
  for (const [file, text] of await renderFragments()) writeFileSync(join(projectRoot, file), text);
}

function rowOf({ type, address }: Destination): string {
  const variable = address?.variable && `\`${address.variable}\``;
  const setting = address?.setting && `the destination's own \`${address.setting}\``;
  return `| \`${type}\` | ${[setting, variable].filter(Boolean).join(', with ')} |`;
}

function serviceOf({ type, credentialFiles }: Destination): string {
  return [
    `  connector-${type}:`,
    '    <<: *process',
    `    command: [connector-${type}]`,
    ...(credentialFiles === true ? ["    volumes: ['./credentials:/run/credentials:ro']"] : []),
    '    networks: [inside, outside]',
    '',
  ].join('\n');
}

// Operators know the ports of their processes: a type keeps its port, and a new type gets the next one.
function environmentsOf(types: Destination[]): [file: string, text: string][] {
  const texts = readdirSync(join(projectRoot, ENVIRONMENTS)).map((name) => read(`${ENVIRONMENTS}/${name}`));
  const ports = texts.map((text) => Number(/^HEALTH_PORT=(\d+)$/m.exec(text)?.[1] ?? 0));
  let last = Math.max(...ports);
  return types.map(({ type }) => {
    const file = `${ENVIRONMENTS}/connector-${type}.env`;
    if (existsSync(join(projectRoot, file))) return [file, read(file)];
    last += 1;
    return [file, `HEALTH_PORT=${last}\n`];
  });
}

function replace(file: string, text: string, fragment: string): string {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => BEGIN.test(line));
  const end = lines.findIndex((line) => END.test(line));
  if (begin === -1 || end < begin)
    throw new Error(`${file} lacks its lines ${BEGIN.source} and ${END.source}`);
  return [...lines.slice(0, begin + 1), fragment.replace(/\n$/, ''), ...lines.slice(end)].join('\n');
}

function read(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}
