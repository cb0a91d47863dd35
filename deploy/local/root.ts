import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout of this file, compiled or not: the nearest folder above with a `package.json`. */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The git-ignored folder with all files of a local start. */
export const localDirectory = join(projectRoot, '.local');

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? process.cwd() : findRoot(parent);
}
