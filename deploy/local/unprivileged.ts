import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statfsSync,
  symlinkSync,
} from 'node:fs';
import { freemem } from 'node:os';
import { dirname } from 'node:path';
import { LocalFailure } from './failure.ts';

/** A system user without special rights. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

// Not /var/tmp: systems remove files there that nobody has used for a month.
const outside = '/var/lib/sealift-local-';
const inMemory = '/dev/shm/sealift-local-';
// The data of a whole test run need about a tenth of it.
const PLENTY_OF_MEMORY = 4 * 2 ** 30;

/** The user that runs Postgres. Undefined means the current user; only root may not run it. */
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
 * Makes a folder that the user owns. If the user cannot enter a parent (of a checkout below `/root`, for example), the
 * real folder is in `/var/lib`, and a link to it takes its place. With `throwAway` it is in memory, if there is plenty.
 */
export function makeFolderOf(
  user: SystemUser | undefined,
  folder: string,
  { throwAway = false }: { throwAway?: boolean } = {},
): void {
  if (existsSync(folder)) return;
  // If the system has lost that folder, a link is left that points nowhere.
  rmSync(folder, { force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const parent = throwAway && hasPlentyOfMemory() ? inMemory : outside;
  const isHere = parent === outside && (!user || canReach(user, dirname(folder)));
  if (isHere) mkdirSync(folder, { mode: 0o700 });
  // Everybody may write there, so the name must be one that nobody could prepare.
  else symlinkSync(mkdtempSync(parent), folder);
  if (user) chownSync(folder, user.uid, user.gid);
}

/** Removes a folder of `makeFolderOf`, and the target of the link if it is one. */
export function removeFolderOf(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const place = readlinkSync(folder);
    if (place.startsWith(outside) || place.startsWith(inMemory))
      rmSync(place, { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}

// A container may have a small one.
function hasPlentyOfMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(inMemory));
    return Math.min(bavail * bsize, freemem()) > PLENTY_OF_MEMORY;
  } catch {
    return false;
  }
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
