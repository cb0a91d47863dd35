import type { Import, Source } from './sources.ts';

export type Layer = {
  name: string;
  /** The files that belong to it; the first layer that matches a file has it. */
  files: RegExp;
  /** Paths it may import, `{own}` standing for what the first group of `files` matched; absent: everything. */
  mayImport?: string[];
  /** Paths it may import nothing but types of. */
  mayImportTypesOf?: string[];
  /** Paths it may import by `import()`, when they are wanted. */
  mayImportLazily?: string[];
};

export type PackageHome = {
  packages: RegExp;
  /** Paths that may import it; absent: every path. */
  homes?: string[];
  /** Paths that may import nothing but its types. */
  typeHomes?: string[];
};

/** One sentence for each import that the table of layers forbids, and for each file that it does not know. */
export function findLayerFaults(sources: Source[], layers: Layer[]): string[] {
  return sources.flatMap((source) => {
    const layer = layers.find(({ files }) => files.test(source.path));
    if (!layer) return [`${source.path} belongs to no layer`];
    return source.imports
      .filter((one) => !isAllowed(source, layer, one))
      .map((one) => `${source.path} (${layer.name}) may not import ${one.file ?? 'a path that is computed'}`);
  });
}

function isAllowed(source: Source, layer: Layer, one: Import): boolean {
  const { file } = one;
  if (!layer.mayImport) return true;
  if (one.specifier === null) return false;
  if (file === undefined) return true;
  const own = layer.files.exec(source.path)?.[1] ?? '';
  const matches = (paths: string[] = []): boolean =>
    paths.some((path) => new RegExp(`^${path.replaceAll('{own}', own)}`).test(file));
  if (matches(layer.mayImport)) return true;
  return one.isType ? matches(layer.mayImportTypesOf) : one.isDynamic && matches(layer.mayImportLazily);
}

/** One sentence for each import of a package away from its home, and for each package without one. */
export function findPackageFaults(sources: Source[], table: PackageHome[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap((one) => {
      const name = one.package;
      if (name === undefined) return [];
      const row = table.find(({ packages }) => packages.test(name));
      if (!row) return [`${path} imports ${name}, which has no home in the table`];
      const isIn = (homes: string[] = []): boolean => homes.some((home) => new RegExp(`^${home}`).test(path));
      if (!row.homes || isIn(row.homes) || (one.isType && isIn(row.typeHomes))) return [];
      return [`${path} may not import ${name}`];
    }),
  );
}

/** Everything that is loaded with a file at once: our own files, and packages by their names. */
export function findLoaded(sources: Source[], path: string): { files: Set<string>; packages: Set<string> } {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (at: string): void => {
    if (files.has(at)) return;
    files.add(at);
    for (const one of byPath.get(at)?.imports ?? []) {
      if (one.isType || one.isDynamic) continue;
      if (one.file !== undefined) visit(one.file);
      if (one.package !== undefined) packages.add(one.package);
    }
  };
  visit(path);
  return { files, packages };
}
