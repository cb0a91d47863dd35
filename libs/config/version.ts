import { existsSync, readFileSync } from 'node:fs';

/** The version of the package that contains this program; `package.json` is above the compiled tree. */
export function readVersion(): string {
  const places = ['../../package.json', '../../../package.json'].map(
    (path) => new URL(path, import.meta.url),
  );
  const file = places.find((place) => existsSync(place));
  if (!file) return 'unknown';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
