import type { Granularity } from './contract.ts';

/** The words that a template may use, as `{{ .Name }}`. */
export const PLACEHOLDERS = [
  'DestinationType',
  'DestinationName',
  'NamespacePath',
  'NamespaceBaseName',
  'NamespaceID',
  'MountPath',
  'MountBaseName',
  'MountAccessor',
  'SecretPath',
  'SecretBaseName',
  'SecretKey',
] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];
export type TemplateValues = Record<Placeholder, string>;

type Pipe = (text: string) => string;
type Part = string | { placeholder: Placeholder; pipes: Pipe[] };

/** A parsed template. */
export type Template = { parts: Part[] };

/** Characters of the longest template. */
export const LONGEST_TEMPLATE = 1024;

// Far longer than the longest name of any store. A longer text is refused later, so a repeated `replace` cannot exhaust
// the memory.
const LONGEST_VALUE = 8192;

const PIPES = 'the pipes are uppercase, lowercase and replace "a" "b"';
const SYNTAX = 'a placeholder is written {{ .Name }}, or {{ .Name | uppercase }} with pipes';

class TemplateFault extends Error {}

/** Parses a secret name template. A fault is one sentence that says what is allowed. */
export function parseTemplate(source: string): { template: Template } | { fault: string } {
  if (source.trim() === '') return { fault: 'external name template must not be empty' };
  if (source.length > LONGEST_TEMPLATE) {
    return { fault: `external name template must not be longer than ${LONGEST_TEMPLATE} characters` };
  }
  try {
    return { template: { parts: [...readParts(source)] } };
  } catch (error) {
    if (error instanceof TemplateFault) return { fault: error.message };
    throw error;
  }
}

/** What is wrong with a template that gives all keys of a secret one name. */
export const NO_KEY = 'external name template should contain reference to the secret key: {{ .SecretKey }}';

/** Whether the names of a template depend on the key of the secret. */
export function namesKey({ parts }: Template): boolean {
  return parts.some((part) => typeof part !== 'string' && part.placeholder === 'SecretKey');
}

/** What is wrong with a template for a granularity, as one sentence, or null. */
export function checkTemplate(source: string, granularity: Granularity): string | null {
  const parsed = parseTemplate(source);
  if ('fault' in parsed) return parsed.fault;
  const isForKeys = namesKey(parsed.template);
  if (granularity === 'secret-key' && !isForKeys) return NO_KEY;
  if (granularity === 'secret-path' && isForKeys) {
    return 'external name template must not refer to the secret key if granularity is secret-path, because one entry contains all keys';
  }
  return null;
}

/** The text that a template gives for one entry, before it is adapted to the characters that a store allows. */
export function renderTemplate(template: Template, values: TemplateValues): string {
  return template.parts.map((part) => (typeof part === 'string' ? part : renderPart(part, values))).join('');
}

function renderPart(part: Exclude<Part, string>, values: TemplateValues): string {
  let text = values[part.placeholder];
  for (const pipe of part.pipes) {
    if (text.length > LONGEST_VALUE) return text;
    text = pipe(text);
  }
  return text;
}

function* readParts(source: string): Generator<Part> {
  let position = 0;
  while (position < source.length) {
    const start = source.indexOf('{{', position);
    const text = source.slice(position, start === -1 ? source.length : start);
    if (text.includes('}}')) throw new TemplateFault(`external name template has a }} without {{: ${SYNTAX}`);
    if (text !== '') yield text;
    if (start === -1) return;
    const { part, end } = readPlaceholder(source, start + 2);
    yield part;
    position = end;
  }
}

function readPlaceholder(source: string, offset: number): { part: Part; end: number } {
  let position = offset;
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = position;
    const match = expression.exec(source);
    if (match) position = expression.lastIndex;
    return match;
  };
  const name = take(/\s*\.(\w+)\s*/y)?.[1];
  if (name === undefined) throw new TemplateFault(`external name template cannot be read: ${SYNTAX}`);
  const placeholder = PLACEHOLDERS.find((known) => known === name);
  if (!placeholder) {
    throw new TemplateFault(`unknown placeholder .${name}; available: ${PLACEHOLDERS.join(', ')}`);
  }
  const pipes: Pipe[] = [];
  while (take(/\|\s*/y)) pipes.push(readPipe(take));
  if (!take(/\}\}/y)) throw new TemplateFault(`external name template cannot be read: ${SYNTAX}; ${PIPES}`);
  return { part: { placeholder, pipes }, end: position };
}

function readPipe(take: (expression: RegExp) => RegExpExecArray | null): Pipe {
  const name = take(/(\w+)\s*/y)?.[1] ?? '';
  if (name === 'uppercase') return (text) => text.toUpperCase();
  if (name === 'lowercase') return (text) => text.toLowerCase();
  if (name !== 'replace')
    throw new TemplateFault(`external name template has an unknown pipe ${name}; ${PIPES}`);
  const [from, to] = [readString(take), readString(take)];
  if (from === undefined || to === undefined || from === '') {
    throw new TemplateFault(
      'external name template: replace needs two texts in double quotes, and the first must not be empty',
    );
  }
  return (text) => text.replaceAll(from, () => to);
}

function readString(take: (expression: RegExp) => RegExpExecArray | null): string | undefined {
  return take(/"((?:[^"\\]|\\["\\])*)"\s*/y)?.[1]?.replaceAll(/\\(["\\])/g, '$1');
}
