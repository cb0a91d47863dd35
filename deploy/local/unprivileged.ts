import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { LocalFailure } from './failure.ts';

/** A system user without rights of its own. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

// Not /var/tmp: there, files nobody has touched for a month are removed.
const outside = '/var/lib/sealift-local-';

/** Who runs Postgres: undefined means ourselves, since only root may not. */
export function findUnprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: readId('-u', name), gid: readId('-g', name) };
    } catch {
      continue;
    }
  }
  throw new LocalFailure(
    'Postgres does not run as root, and there is neither a user "postgres" nor "nobody".',
  );
}

/**
 * Makes a folder that the user owns. Where a parent is closed to the user (a checkout below `/root`, say), the folder
 * lies in `/var/lib` and a link to it stands in its place.
 */
export function makeFolderOf(user: SystemUser | undefined, folder: string): void {
  if (existsSync(folder)) return;
  // A link that points nowhere is left where the system has lost that folder.
  rmSync(folder, { force: true });
  mkdirSync(dirname(folder), { recursive: true });
  if (!user) {
    mkdirSync(folder, { mode: 0o700 });
    return;
  }
  if (canReach(user, dirname(folder))) mkdirSync(folder, { mode: 0o700 });
  // A name nobody could have prepared, since everybody may write there.
  else symlinkSync(mkdtempSync(outside), folder);
  chownSync(folder, user.uid, user.gid);
}

/** Removes a folder made by `makeFolderOf`, and the place a link stands for. */
export function removeFolderOf(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const place = readlinkSync(folder);
    if (place.startsWith(outside)) rmSync(place, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}

function canReach(user: SystemUser, folder: string): boolean {
  try {
    execFileSync('test', ['-x', folder], { ...user, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function readId(flag: string, name: string): number {
  return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}
