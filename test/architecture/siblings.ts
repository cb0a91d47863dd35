import type { Source } from './sources.ts';

/**
 * Pairs of folders with the same parent that import each other, each once. A file imports a sibling of its folder, or of a
 * folder above, where its path and the imported one part. Files that stand beside folders belong to none of them.
 */
export function findMutualFolders(sources: Source[]): string[] {
  const examples = new Map<string, string>();
  for (const { path, imports } of sources) {
    for (const { file } of imports) {
      const pair = file === undefined ? undefined : partingFolders(path, file);
      if (pair && !examples.has(pair.join(' '))) examples.set(pair.join(' '), `${path} imports ${file}`);
    }
  }
  return [...examples].flatMap(([pair, example]) => {
    const [from = '', to = ''] = pair.split(' ');
    const back = examples.get(`${to} ${from}`);
    return back === undefined || from > to
      ? []
      : [`${from} and ${to} import each other: ${example}, ${back}`];
  });
}

// The folders in which two paths part; undefined if one of them is a file there.
function partingFolders(one: string, other: string): [string, string] | undefined {
  const [left, right] = [one.split('/'), other.split('/')];
  const fork = left.findIndex((name, index) => name !== right[index]);
  if (fork === -1 || fork >= left.length - 1 || fork >= right.length - 1) return undefined;
  return [left.slice(0, fork + 1).join('/'), right.slice(0, fork + 1).join('/')];
}
