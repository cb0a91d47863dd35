import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export type Import = {
  /** The specifier in the file: `koa`, `node:fs`, `../log/log.ts`; null if it is computed. */
  specifier: string | null;
  /** For an import of our own: the path from the project's root. */
  file?: string;
  /** For an import from the registry: the package's name, without a path inside it. */
  package?: string;
  /** True if the compiler removes the import. */
  isType: boolean;
  isDynamic: boolean;
};

export type Source = {
  /** The path from the project's root, with slashes. */
  path: string;
  lines: number;
  imports: Import[];
  /** The names that it declares and exports: types, functions, classes and constants. */
  exports: string[];
  /** The text with blanks instead of comments. */
  code: string;
  /** The full titles of its tests, in order. Placeholders stay as they are written. */
  titles: string[];
  /** The lines of each function, from its head to its last brace. */
  functions: { name: string; lines: number }[];
};

const ignored = new Set(['node_modules', 'dist', 'coverage']);

/** The checkout: the nearest folder above this file, compiled or not, that has a `tsconfig.json`. */
export const projectRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'tsconfig.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('no tsconfig.json above the tests');
  return findRoot(parent);
}

let known: Source[] | undefined;

/** All TypeScript files of the checkout, parsed once in a process. Throws if one cannot be parsed. */
export function readSources(): Source[] {
  known ??= listFiles('').map((path) => readSource(path, readFileSync(join(projectRoot, path), 'utf8')));
  return known;
}

function listFiles(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || ignored.has(entry.name)) return [];
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() && /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The facts about one file, from its text. Throws if the text is not TypeScript. */
export function readSource(path: string, text: string): Source {
  const { module, comments, errors, program } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const found: Omit<Import, 'file' | 'package'>[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ specifier: moduleRequest.value, isType, isDynamic: false });
  }
  for (const { moduleRequest, isType } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) found.push({ specifier: moduleRequest.value, isType, isDynamic: false });
  }
  const exports = program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return [];
    const { declaration } = statement;
    const declared = declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration];
    return declared.flatMap(({ id }) => (id?.type === 'Identifier' ? [id.name] : []));
  });
  const titles: string[] = [];
  const suites: string[] = [];
  const functions: Source['functions'] = [];
  const noteFunction = (name: string, { start, end }: { start: number; end: number }): void => {
    functions.push({ name, lines: text.slice(start, end).split('\n').length });
  };
  new Visitor({
    FunctionDeclaration: (node) => noteFunction(node.id?.name ?? 'default', node),
    FunctionExpression: (node) => noteFunction(node.id?.name ?? 'a function', node),
    ArrowFunctionExpression: (node) => noteFunction('an arrow function', node),
    ImportExpression: ({ source }) => {
      const specifier = source.type === 'Literal' && typeof source.value === 'string' ? source.value : null;
      found.push({ specifier, isType: false, isDynamic: true });
    },
    TSImportType: ({ source }) => {
      found.push({ specifier: source.value, isType: true, isDynamic: false });
    },
    CallExpression: (call) => {
      const [name, title] = [call.callee, call.arguments[0]];
      if (name.type !== 'Identifier' || !title) return;
      if (name.name === 'describe') suites.push(readTitle(text, title));
      if (name.name === 'it') titles.push([...suites, readTitle(text, title)].join(' › '));
    },
    'CallExpression:exit': ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name === 'describe') suites.pop();
    },
  }).visit(program);
  const imports = found.map((one) => ({ ...one, ...locate(path, one.specifier) }));
  const lines = text.split('\n').length - 1;
  return { path, lines, imports, exports, code: blank(text, comments), titles, functions };
}

function readTitle(text: string, { start, end }: { start: number; end: number }): string {
  return text.slice(start, end).replaceAll(/^['"`]|['"`]$/g, '');
}

function locate(path: string, specifier: string | null): Pick<Import, 'file' | 'package'> {
  if (specifier === null || specifier.startsWith('node:')) return {};
  if (specifier.startsWith('.')) return { file: posix.join(posix.dirname(path), specifier) };
  const parts = specifier.split('/');
  return { package: parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/') };
}

function blank(text: string, comments: { start: number; end: number }[]): string {
  let code = '';
  let from = 0;
  for (const { start, end } of comments) {
    code += text.slice(from, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ');
    from = end;
  }
  return code + text.slice(from);
}
