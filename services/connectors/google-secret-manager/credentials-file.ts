import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { OperatorSettings } from '../../../libs/connector/contract.ts';

export const MOST_CREDENTIALS_BYTES = 64 * 1024;

type Operator = Pick<OperatorSettings, 'environment' | 'namespace'>;

/** The path in `@path` credentials; undefined if the setting holds the credentials themselves. */
export function credentialsPath(credentials: string): string | undefined {
  return credentials.startsWith('@') ? credentials.slice(1) : undefined;
}

/** Why a path cannot be that of a credentials file, as one sentence, or null. Does not look at the file system. */
export function checkCredentialsPath(path: string, operator: Operator): string | null {
  const directory = directoryOf(operator);
  if (!directory)
    return 'credentials: @path is not accepted, because the operator has not set CREDENTIALS_DIR';
  if (!/^\P{C}+$/u.test(path)) return 'credentials: the path after @ is empty or not a path';
  if (path.split(/[/\\]/).includes('..') || !isBelow(directory, resolve(directory, path)))
    return 'credentials: the path must be below CREDENTIALS_DIR, in the folder with the name of the namespace';
  if (!operator.namespace && relative(directory, resolve(directory, path)).includes(sep))
    return 'credentials: a file of the root namespace must be directly in CREDENTIALS_DIR';
  return null;
}

// The files of a namespace are in a folder with its name. Those of the root namespace are in the directory itself and in
// no folder, because somebody could create a namespace with the name of that folder.
function directoryOf({ environment, namespace = '' }: Operator): string | undefined {
  const directory = environment('CREDENTIALS_DIR');
  return directory ? resolve(directory, namespace) : undefined;
}

/** The text of a credentials file below CREDENTIALS_DIR, or why there is none. The fault says nothing about other files. */
export async function readCredentialsFile(
  path: string,
  operator: Operator,
): Promise<{ text: string } | { fault: string }> {
  const fault = checkCredentialsPath(path, operator);
  if (fault) return { fault };
  const directory = directoryOf(operator) ?? '';
  try {
    const [root, target] = await Promise.all([realpath(directory), realpath(resolve(directory, path))]);
    if (isBelow(root, target)) return { text: await readSmallFile(target) };
  } catch {
    // All reasons give the same fault: a caller learns nothing about the machine's files.
  }
  return {
    fault: `credentials: the file cannot be read; it must be a regular file of at most ${MOST_CREDENTIALS_BYTES / 1024} KiB below CREDENTIALS_DIR, in the folder with the name of the namespace`,
  };
}

async function readSmallFile(path: string): Promise<string> {
  // The path is already resolved: if it is a link now, somebody put it there meanwhile. A pipe must not make us wait.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    if (!status.isFile() || status.size > MOST_CREDENTIALS_BYTES) throw new Error('not a small regular file');
    const buffer = Buffer.alloc(MOST_CREDENTIALS_BYTES + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > MOST_CREDENTIALS_BYTES) throw new Error('grew while it was read');
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function isBelow(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
