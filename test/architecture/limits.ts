import { type FolderFigures, findCycles, measureFolders } from './figures.ts';
import type { Source } from './sources.ts';

/** Each migration is a file that stays for ever. */
const GROWING = ['libs/db/migrations'];

/** Limits that every part of the product keeps. Code that would become worse if it were smaller is a reason to raise one. */
export const LIMITS = {
  /** Lines of a file. */
  file: 250,
  /** Lines of a function. */
  functionLines: 60,
  /** Files of a folder, without its sub-folders. */
  folderFiles: 15,
  /** Files of a folder that stand on each other by imports. */
  folderFloors: 6,
};

/** How simple the product's code is. */
export type Figures = {
  files: number;
  /** The longest first. */
  longestFiles: { path: string; lines: number }[];
  longestFunctions: { path: string; lines: number }[];
  largestFolders: FolderFigures[];
  deepestFolders: FolderFigures[];
  cycles: string[];
};

export function measure(product: Source[]): Figures {
  const longestFiles = product
    .map(({ path, lines }) => ({ path, lines }))
    .toSorted((left, right) => right.lines - left.lines);
  const folders = measureFolders(product);
  return {
    files: product.length,
    longestFiles,
    longestFunctions: product
      .flatMap(({ path, functions }) => functions.map(({ lines }) => ({ path, lines })))
      .toSorted((left, right) => right.lines - left.lines),
    largestFolders: folders
      .filter(({ folder }) => !GROWING.includes(folder))
      .toSorted((left, right) => right.files - left.files),
    deepestFolders: folders.toSorted((left, right) => right.floors - left.floors),
    cycles: findCycles(product),
  };
}

/** One sentence for each exceeded limit. */
export function findPassed(figures: Figures): string[] {
  const passed = (what: string, found: number, most: number): string[] =>
    found > most ? [`${what}: ${found}, at most ${most}`] : [];
  return [
    ...figures.longestFiles.flatMap(({ path, lines }) => passed(`lines of ${path}`, lines, LIMITS.file)),
    ...figures.longestFunctions.flatMap(({ path, lines }) =>
      passed(`lines of a function in ${path}`, lines, LIMITS.functionLines),
    ),
    ...figures.largestFolders.flatMap(({ folder, files }) =>
      passed(`files in ${folder}`, files, LIMITS.folderFiles),
    ),
    ...figures.deepestFolders.flatMap(({ folder, floors }) =>
      passed(`floors of ${folder}`, floors, LIMITS.folderFloors),
    ),
    ...figures.cycles.map((cycle) => `files that import each other: ${cycle}`),
  ];
}
