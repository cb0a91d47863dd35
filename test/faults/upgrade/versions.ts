import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { localDirectory, projectRoot } from '../../../deploy/local/root.ts';
import { RECORDED_REVISION } from './recorded-revision.ts';

/** A compiled version of the project. `root` is the folder of its compiled files. */
export type Version = { name: string; root: string };

const execute = promisify(execFile);
const LIMIT_MS = 600_000;

/** The working copy, as it was last compiled. */
export const current: Version = {
  name: 'this version',
  root: fileURLToPath(new URL('../../..', import.meta.url)),
};

/**
 * The revision to upgrade from: the given one; otherwise the newest release before this one (a tag `v*`); without any, the
 * recorded one. Throws if it is missing, as in a clone without history.
 */
export async function findFormerRevision(
  wanted?: string,
  { clone = projectRoot, recorded = RECORDED_REVISION } = {},
): Promise<string> {
  if (wanted) return resolveRevision(clone, wanted);
  const newestFirst = ['--list', 'v*', '--sort=-v:refname', '--no-contains', 'HEAD'];
  // The setting puts v1.0.0-rc.1 before v1.0.0, not after it.
  const tags = await git(clone, '-c', 'versionsort.suffix=-', 'tag', ...newestFirst);
  const [newest] = tags.split('\n');
  return resolveRevision(clone, newest || recorded);
}

/** Compiles a revision once, in a folder of its own. It uses the installed packages if it needs the same ones. */
export async function buildVersion(revision: string): Promise<Version> {
  const short = revision.slice(0, 10);
  const folder = join(localDirectory, 'versions', short);
  const version = { name: `version ${short}`, root: join(folder, 'dist') };
  if (existsSync(folder)) return version;
  await mkdir(join(localDirectory, 'versions'), { recursive: true });
  // Renamed when it is complete, so an aborted build never counts as a version.
  const draft = await mkdtemp(join(localDirectory, 'versions', 'draft-'));
  try {
    await extract(revision, draft);
    const home = (await hasOurPackages(draft)) ? projectRoot : await install(draft);
    await compile(draft, join(home, 'node_modules/typescript/bin/tsc'));
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return version;
}

async function resolveRevision(clone: string, name: string): Promise<string> {
  return git(clone, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => {
    throw new Error(`${name} is no revision of this clone: name one with FROM=, or fetch the history`);
  });
}

async function extract(revision: string, folder: string): Promise<void> {
  const archive = join(folder, 'archive.tar');
  await git(projectRoot, 'archive', '--format=tar', `--output=${archive}`, revision);
  await execute('tar', ['-xf', archive, '-C', folder], { timeout: LIMIT_MS });
  await rm(archive);
}

// Inside the project's folder, the version finds the project's packages without a copy of them.
async function hasOurPackages(folder: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all(
    [projectRoot, folder].map((home) => readFile(join(home, 'package-lock.json'), 'utf8')),
  );
  return ours === theirs;
}

async function install(folder: string): Promise<string> {
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await execute('npm', words, { cwd: folder, timeout: LIMIT_MS, maxBuffer: 1 << 26 });
  return folder;
}

/** Compiles what the image contains: services and their imports, without tests. */
async function compile(folder: string, compiler: string): Promise<void> {
  const config = join(folder, 'tsconfig.version.json');
  const parts = { include: ['services', 'libs'], exclude: ['services/console'] };
  await writeFile(config, JSON.stringify({ extends: './tsconfig.json', ...parts }));
  const words = [compiler, '-p', config, '--incremental', 'false'];
  await execute(process.execPath, words, { cwd: folder, timeout: LIMIT_MS, maxBuffer: 1 << 26 });
}

async function git(clone: string, ...words: string[]): Promise<string> {
  const { stdout } = await execute('git', ['-C', clone, ...words], { timeout: LIMIT_MS });
  return stdout.trim();
}
