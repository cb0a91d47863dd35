export type PathParameter = { name: string; description: string };

/** A path as OpenAPI writes it, with the parameters in it. */
export type DocumentPath = { path: string; parameters: PathParameter[] };

const DESCRIPTIONS: Record<string, string> = {
  mount: 'The path of a KV mount. It may contain slashes.',
  path: 'The rest of the path. It may contain slashes.',
  secret: 'The mount and the path of a secret, joined by a slash.',
  type: 'A destination type or one of its aliases.',
  name: 'The name.',
  id: 'The id.',
  kind: 'Kind of the user of the version: `workspaces` or `policy-sets`.',
  usageId: 'The id of the workspace or policy set.',
};

// A mount can have any name, so rows of mounts begin with a marker of the router. An auth method is shown under the name of
// its type, which is the usual one.
const MOUNT_MARKER = /^\/~kv\d/;

/** The paths of an endpoint's row: two if its rest is optional. */
export function documentPaths(path: string): DocumentPath[] {
  const named = path.replace(MOUNT_MARKER, '/{mount}').replace('/~', '/auth/');
  const optional = /\{\/\*(\w+)\}$/.exec(named);
  const paths = optional
    ? [named.slice(0, optional.index), `${named.slice(0, optional.index)}/*${optional[1] ?? ''}`]
    : [named];
  return paths.map(documentPath);
}

/** The address of an example's call. */
export function fillPath(path: string, params: Record<string, string> = {}): string {
  const names = Object.keys(params);
  const [found] = documentPaths(path)
    .filter(({ parameters }) => parameters.every(({ name }) => names.includes(name)))
    .toReversed();
  if (!found) throw new Error(`${path} needs more parameters than ${names.join(', ')}`);
  return found.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    (params[name] ?? '').split('/').map(encodeURIComponent).join('/'),
  );
}

function documentPath(path: string): DocumentPath {
  const written = path.replaceAll(/[:*](\w+)/g, '{$1}');
  const parameters = [...written.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    description: DESCRIPTIONS[name] ?? name,
  }));
  return { path: written, parameters };
}
