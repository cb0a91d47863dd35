import { clientSchema } from './client.ts';
import { configSchema } from './schema.ts';

type Property = {
  type?: string;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  pattern?: string;
  sensitive?: boolean;
};

const INTRODUCTION = `# Configuration

Every process reads its settings from the environment and checks all of them before it connects to anything; exit code 78
and a sentence for each fault say what is wrong. An empty variable counts as one that is not set. Settings marked with a
lock are secrets: they are never logged. \`sealift doctor\` tries what is set.

This page is made from the schema in [libs/config](../libs/config); \`npm run docs:configuration\` regenerates it.
`;

/** All settings as a page of Markdown, generated from their schemas; the result still needs formatting. */
export function describeConfiguration(): string {
  return [
    INTRODUCTION,
    '## Processes\n',
    describeTable(configSchema),
    '## Client verbs of the command line\n',
    describeTable(clientSchema),
  ].join('\n');
}

function describeTable(schema: { properties: object }): string {
  const rows = Object.entries(schema.properties).map(([name, property]) =>
    describeRow(name, property as Property),
  );
  return ['| setting | default | values | meaning |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

function describeRow(name: string, property: Property): string {
  const isRequired = (property.minLength ?? 0) > 0;
  const fallback = isRequired
    ? '**required**'
    : property.default === ''
      ? 'empty'
      : code(String(property.default));
  const cells = [
    `${code(name)}${property.sensitive ? ' 🔒' : ''}`,
    fallback,
    describeValues(property),
    property.description ?? '',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function describeValues({ type, minimum, maximum, pattern }: Property): string {
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'integer') return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
  return pattern === undefined ? 'text' : code(pattern);
}

function code(text: string): string {
  return `\`${text}\``;
}
