import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { localDirectory } from './root.ts';
import { writePrivateFile } from './state.ts';

/** Lets other programs use the running service: lines `NAME=value`, for `source`, and their export. */
export const environmentFile = join(localDirectory, 'env');

/** Replaces the file. Only its owner can read it, because it holds the root token. */
export function writeEnvironmentFile(variables: Record<string, string>): void {
  writePrivateFile(environmentFile, formatEnvironment(variables));
}

/** The variables of the file; none if it does not exist. */
export function readEnvironmentFile(): Record<string, string> {
  try {
    return parseEnvironment(readFileSync(environmentFile, 'utf8'));
  } catch {
    return {};
  }
}

/**
 * One line per variable, quoted for a shell where needed, then their export. Values have no line breaks. A Node.js that
 * `make` brought comes first in the path, because the command line needs it too.
 */
export function formatEnvironment(variables: Record<string, string>, node = process.execPath): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${quote(value)}`);
  const path = node.startsWith(localDirectory) ? [`export PATH="${dirname(node)}:$PATH"`] : [];
  // Without the export only the shell knows the variables, and not the `sealift` that it starts.
  return [...lines, `export ${Object.keys(variables).join(' ')}`, ...path, ''].join('\n');
}

/** Parses the output of `formatEnvironment`. */
export function parseEnvironment(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const split = line.indexOf('=');
    if (split > 0 && !line.startsWith('export '))
      variables[line.slice(0, split)] = unquote(line.slice(split + 1));
  }
  return variables;
}

function quote(value: string): string {
  return /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

function unquote(value: string): string {
  return value.startsWith("'") ? value.slice(1, -1).replaceAll(`'\\''`, "'") : value;
}
