import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { basename, dirname, join } from 'node:path';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { build, type BuildOptions, type Plugin } from 'rolldown';

// Makes dist/programs: a folder for each program, whose program.js has all that the program loads at its start, packages
// included. What is imported on demand stays a file of its own. Runs uncompiled, also in the image's build.
const root = dirname(import.meta.dirname);
const target = join(root, 'dist/programs');

/** Files that a program starts as threads. They stand beside it. */
const THREADS: Record<string, string[]> = {
  api: ['services/api/saml/answer/thread.ts'],
  cli: ['services/api/saml/answer/thread.ts'],
};
/** Programs that run connectors. The others import the catalog, which names each, but never load one. */
const CONNECTOR_HOSTS = ['connectors', 'cli'];
/** What packages would load if it was there: drivers of other databases, and a native one. */
const ABSENT = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'mysql2',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];
const CONNECTOR = /services\/connectors\/([^/]+)\/connector\.ts$/;

// One character that is not Latin makes two bytes of each letter in memory: 9 MB for the API instead of 4.5.
const OTHER_CHARACTERS = /[\u0080-\uffff]/g;
const ESCAPE_GROWTH = '\\uffff'.length - 1;

/** A program that runs no connector never imports one; the rest of the catalog is in it. */
const leaveConnectorsOut: Plugin = {
  name: 'leave-connectors-out',
  resolveId: (id) =>
    id.endsWith('/connector.ts') ? { id: `not-in-this-program:${id}`, external: true } : undefined,
};

/**
 * Pino asks at its start which files called it, for transports, which no program has. Node would read the whole source map for
 * that and keep it: 5 MB in the API.
 */
const leaveCallersOut: Plugin = {
  name: 'leave-callers-out',
  load: (id) => (id.endsWith('/pino/lib/caller.js') ? 'module.exports = () => [];' : undefined),
};

const HTTP = 'http-without-fetch';
const OF_FETCH = ['CloseEvent', 'MessageEvent', 'WebSocket'];
const HTTP_NAMES = Object.getOwnPropertyNames(http).filter((name) => !OF_FETCH.includes(name));

/**
 * An import of node:http reads all that it exports. That includes the WebSocket of Node's own fetch, and so loads fetch, which no
 * process needs at rest: 4 MB in each.
 */
const leaveFetchOut: Plugin = {
  name: 'leave-fetch-out',
  resolveId: (id, _importer, { kind }) =>
    /^(?:node:)?http$/.test(id) && kind !== 'require-call' ? HTTP : undefined,
  load: (id) =>
    id === HTTP
      ? `const http = process.getBuiltinModule('node:http');
         export default http;
         export const { ${HTTP_NAMES.join(', ')} } = http;`
      : undefined,
};

const programs = readdirSync(join(root, 'services')).filter((name) =>
  existsSync(join(root, 'services', name, 'main.ts')),
);
const parts = programs
  .filter((program) => !isCurrent(program))
  .flatMap((program) =>
    [`services/${program}/main.ts`, ...(THREADS[program] ?? [])].map((file) => ({ program, file })),
  );
// One after the other: all at once take twice the memory, and the processor half as long again.
const built = [];
for (const part of parts) built.push({ ...part, files: (await build(optionsOf(part))).output });
for (const { program, files } of built) {
  const folder = join(target, program);
  mkdirSync(folder, { recursive: true });
  const codeByMap = new Map(
    files.flatMap((file) => (file.type === 'chunk' ? [[`${file.fileName}.map`, file.code]] : [])),
  );
  // The entry comes last: while it is old, the program counts as not built.
  for (const file of files.toReversed()) {
    const path = join(folder, file.fileName);
    const code = codeByMap.get(file.fileName);
    if (file.type === 'chunk') writeFileSync(path, toAscii(file.code));
    else writeFileSync(path, code === undefined ? file.source : shorten(String(file.source), code));
  }
}

/** Whether nothing is newer than the program of all that it was made from. */
function isCurrent(program: string): boolean {
  const folder = join(target, program);
  const main = join(folder, 'main.js');
  if (!existsSync(main)) return false;
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.map'))
    .flatMap(
      (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { sources: string[] }).sources,
    )
    .filter((source) => !source.includes('node_modules/'))
    .map((source) => join(folder, source));
  const builtMs = statSync(main).mtimeMs;
  return [import.meta.filename, join(root, 'package-lock.json'), ...sources].every(
    (file) => existsSync(file) && statSync(file).mtimeMs < builtMs,
  );
}

function optionsOf({ program, file }: { program: string; file: string }): BuildOptions {
  const name = basename(file, '.ts');
  return {
    cwd: root,
    write: false,
    input: { [name]: file },
    platform: 'node',
    external: ABSENT,
    // A checkout that shares the packages of another makes the same files.
    resolve: { symlinks: false },
    // CommonJS names that the format of the output does not have.
    transform: { target: 'node24', define: { __dirname: 'import.meta.dirname' } },
    checks: { eval: false },
    plugins: [
      leaveCallersOut,
      leaveFetchOut,
      ...(CONNECTOR_HOSTS.includes(program) ? [] : [leaveConnectorsOut]),
    ],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`${program}: ${log.message}`);
    },
    output: {
      dir: join(target, program),
      // Without hashes: what a program loads has changed if one of its files has.
      chunkFileNames: ({ facadeModuleId }) => {
        const connector = CONNECTOR.exec(facadeModuleId ?? '')?.[1];
        return connector === undefined ? '[name].js' : `${connector}.js`;
      },
      // A file that is imported on demand must not import main.js: this may still be waiting for it.
      codeSplitting: name === 'main' && {
        groups: [{ name: 'program', tags: ['$initial'], test: (id) => !id.endsWith(file) }],
      },
      comments: { jsdoc: false },
      // A process keeps the text of its program: half of it was space. Names stay, for stack traces.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  };
}

function toAscii(code: string): string {
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(code)) throw new Error('a raw text is not ASCII');
  return code.replace(OTHER_CHARACTERS, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Maps lines of our own code only, to its ASCII form. At the first stack trace, a process reads the whole map of each file
 * in it: that of program.js took 150 ms and 45 MB before.
 */
function shorten(text: string, code: string): string {
  const map = JSON.parse(text) as { mappings: string; sources: string[] };
  const isOwn = map.sources.map((source) => !source.includes('node_modules/'));
  const lines = code.split('\n');
  const kept: SourceMapSegment[][] = [];
  let wasOwn = false;
  for (const [index, segments] of decode(map.mappings).entries()) {
    const line: SourceMapSegment[] = [];
    const escaped = [...(lines[index] ?? '').matchAll(OTHER_CHARACTERS)].map((match) => match.index);
    let before = 0;
    let former = -1;
    for (const [given, source = -1, original = -1] of segments) {
      while ((escaped[before] ?? Infinity) < given) before += 1;
      const column = given + before * ESCAPE_GROWTH;
      const own = isOwn[source] ?? false;
      // What has no source ends what was mapped before it.
      if (own && original !== former) line.push([column, source, original, 0]);
      else if (!own && wasOwn) line.push([column]);
      former = original;
      wasOwn = own;
    }
    kept.push(line);
  }
  return JSON.stringify({ ...map, names: [], mappings: encode(kept) });
}
