import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageRoot } from '../../../libs/config/package-root.ts';

/** A file of the console, plain and compressed. */
export type Asset = { type: string; plain: Buffer; br?: Buffer; gzip?: Buffer; isHashed: boolean };

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const FOLDER = join(packageRoot, 'dist/console');

/**
 * Reads every file of the built console, keyed by its path below `/ui/`; empty if the console was not built. All files
 * together are smaller than two megabytes.
 */
export function readAssets(folder = FOLDER): Map<string, Asset> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return new Map(
    names.flatMap((name): [string, Asset][] => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const packed = {
        ...(names.includes(`${name}.br`) ? { br: read(`${name}.br`) } : {}),
        ...(names.includes(`${name}.gz`) ? { gzip: read(`${name}.gz`) } : {}),
      };
      return [[name, { type, plain: read(name), ...packed, isHashed: name.startsWith('assets/') }]];
    }),
  );
}
