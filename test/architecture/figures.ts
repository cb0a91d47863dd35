import { posix } from 'node:path';
import type { Source } from './sources.ts';

/** The size of a folder: its files without sub-folders, and its floors: how many files stand on each other by imports. */
export type FolderFigures = { folder: string; files: number; floors: number };

/** Files, floors and cycles of each folder, counting the folder's own files only. */
export function measureFolders(sources: Source[]): FolderFigures[] {
  const folders = [...new Set(sources.map(({ path }) => posix.dirname(path)))];
  return folders.map((folder) => {
    const own = sources.filter(({ path }) => posix.dirname(path) === folder);
    return { folder, files: own.length, floors: countFloors(own) };
  });
}

/** The longest chain of imports within these files; 1 if the files do not import each other. */
export function countFloors(sources: Source[]): number {
  const importsOf = ownImports(sources);
  const known = new Map<string, number>();
  const floorOf = (path: string, above: ReadonlySet<string>): number => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const below = (importsOf.get(path) ?? []).filter((file) => !above.has(file));
    const floor = 1 + Math.max(0, ...below.map((file) => floorOf(file, new Set(above).add(file))));
    known.set(path, floor);
    return floor;
  };
  return Math.max(0, ...sources.map(({ path }) => floorOf(path, new Set([path]))));
}

/** Import cycles between files, each once; type imports count too. */
export function findCycles(sources: Source[]): string[] {
  const importsOf = ownImports(sources);
  const done = new Set<string>();
  const cycles = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const index = trail.indexOf(path);
    if (index !== -1) cycles.add(trail.slice(index).toSorted().join(' ↔ '));
    if (index !== -1 || done.has(path)) return;
    for (const file of importsOf.get(path) ?? []) visit(file, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return [...cycles];
}

function ownImports(sources: Source[]): Map<string, string[]> {
  const paths = new Set(sources.map(({ path }) => path));
  const isOwn = (file: string | undefined): file is string => file !== undefined && paths.has(file);
  return new Map(sources.map(({ path, imports }) => [path, imports.map(({ file }) => file).filter(isOwn)]));
}
