import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Rollup } from 'vite';

const FIRST_LOAD_BYTES = 150_000;
const ROUTE_BYTES = 40_000;

/**
 * Throws if what a browser loads first, or what a page or a dialog that is loaded later adds, has grown over its limit.
 * Sizes are those of Brotli.
 */
export function checkBudget(folder: string, bundle: Rollup.OutputBundle): void {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
  const first = chunks.filter(({ isEntry }) => isEntry);
  refuse('the first load', filesOf(first, chunks), FIRST_LOAD_BYTES, folder);
  for (const chunk of chunks.filter(({ isDynamicEntry }) => isDynamicEntry)) {
    // Whatever loads it has its own files already.
    const loaders = chunks.filter(({ dynamicImports }) => dynamicImports.includes(chunk.fileName));
    const there = loaders.map((loader) => filesOf([loader], chunks));
    const own = [...filesOf([chunk], chunks)].filter((file) => !there.every((files) => files.has(file)));
    refuse(chunk.name, new Set(own), ROUTE_BYTES, folder);
  }
}

// What chunks load at once: themselves, their imports, and the style sheets of all these.
function filesOf(start: Rollup.OutputChunk[], chunks: Rollup.OutputChunk[]): Set<string> {
  const found = new Set<string>();
  const visit = (chunk: Rollup.OutputChunk): void => {
    if (found.has(chunk.fileName)) return;
    found.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const name of chunk.imports) {
      const next = chunks.find(({ fileName }) => fileName === name);
      if (next) visit(next);
    }
  };
  for (const chunk of start) visit(chunk);
  return found;
}

function refuse(what: string, files: Set<string>, most: number, folder: string): void {
  const size = [...files].reduce((sum, file) => sum + statSync(join(folder, `${file}.br`)).size, 0);
  if (size <= most) return;
  // Otherwise the next build would take this output for complete.
  rmSync(join(folder, 'index.html'));
  throw new Error(`${what} is ${size} bytes compressed, more than ${most}`);
}
