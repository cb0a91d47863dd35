import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** One look at the built files. Each file is read once, so all answers describe the same moment. */
export interface LoadedFiles {
  /**
   * Absolute paths of the program and of all its direct and indirect imports, `import()` included. Leaves out packages,
   * and files that are only imported through the files in `never`.
   */
  list(program: string, never?: readonly string[]): string[];
  /** A value that changes with the content of any of these files. */
  fingerprint(program: string, never?: readonly string[]): string;
}

interface CompiledFile {
  readonly digest: string;
  readonly imports: readonly string[];
}

/** Starts a look. Make a new one after each build. */
export function readLoadedFiles(): LoadedFiles {
  const known = new Map<string, CompiledFile>();
  const read = (file: string): CompiledFile => {
    const found = known.get(file) ?? readCompiled(file);
    known.set(file, found);
    return found;
  };
  const list = (program: string, never: readonly string[] = []): string[] => {
    // A loop over a set also visits the items that the loop adds.
    const files = new Set([program]);
    for (const file of files)
      for (const imported of read(file).imports) if (!never.includes(imported)) files.add(imported);
    return [...files].sort();
  };
  return {
    list,
    fingerprint: (program, never) =>
      digest(
        list(program, never)
          .map((file) => `${file} ${read(file).digest}\n`)
          .join(''),
      ),
  };
}

function readCompiled(file: string): CompiledFile {
  const text = readFileSync(file, 'utf8');
  const { module } = parseSync(file, text);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map((entry) => entry.moduleRequest?.value ?? ''),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    ),
  ];
  const own = specifiers.filter((specifier) => /^\.\.?\//.test(specifier));
  // With the map: a stack trace would name the wrong lines of a source whose lines have moved.
  const map = existsSync(`${file}.map`) ? readFileSync(`${file}.map`, 'utf8') : '';
  return { digest: digest(text + map), imports: own.map((specifier) => resolve(dirname(file), specifier)) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
