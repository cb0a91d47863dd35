import type { Import, Source } from './sources.ts';

export type Layer = {
  name: string;
  /** The layer's files. A file belongs to the first layer that matches it. */
  files: RegExp;
  /** Paths it may import. `{own}` stands for the first group of `files`. If absent: all paths. */
  mayImport?: string[];
  /** Paths from which it may import only types. */
  mayImportTypesOf?: string[];
  /** Paths it may import with `import()`, when they are needed. */
  mayImportLazily?: string[];
};

export type PackageHome = {
  packages: RegExp;
  /** Paths that may import it. If absent: all paths. */
  homes?: string[];
};

/** One sentence for each import that the table of layers forbids, and for each file that belongs to no layer. */
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

/** One sentence for each import of a package outside its home, and for each package without a home. */
export function findPackageFaults(sources: Source[], table: PackageHome[]): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.flatMap((one) => {
      const name = one.package;
      if (name === undefined) return [];
      const row = table.find(({ packages }) => packages.test(name));
      if (!row) return [`${path} imports ${name}, which has no home in the table`];
      const isIn = (homes: string[] = []): boolean => homes.some((home) => new RegExp(`^${home}`).test(path));
      if (!row.homes || isIn(row.homes)) return [];
      return [`${path} may not import ${name}`];
    }),
  );
}

/** Everything that is loaded at once with a file: our own files, and packages by name. */
export function findLoaded(sources: Source[], path: string): { files: Set<string>; packages: Set<string> } {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const one of byPath.get(file)?.imports ?? []) {
      if (one.isType || one.isDynamic) continue;
      if (one.file !== undefined) visit(one.file);
      if (one.package !== undefined) packages.add(one.package);
    }
  };
  visit(path);
  return { files, packages };
}
