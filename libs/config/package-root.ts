import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package that contains this program, bundled or not: the nearest one above with a `package.json`. */
export const packageRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  const parent = dirname(folder);
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : findRoot(parent);
}
