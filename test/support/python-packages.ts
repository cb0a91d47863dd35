import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../deploy/check/run.ts';
import { canInstall, installPackages } from '../../deploy/local/install.ts';
import { localDirectory } from '../../deploy/local/root.ts';

/**
 * Runs Python 3 and returns what it wrote, for `install` of `pythonPackages`.
 *
 * @throws when Python fails
 */
export async function python(...words: string[]): Promise<string> {
  const { code, output } = await run('python3', words);
  if (code !== 0) throw new Error(`python3 ${words.join(' ')} failed: ${output}`);
  return output;
}

/** Installs packages of PyPI, with what they need, into a folder. */
export async function pipInstall(folder: string, ...packages: string[]): Promise<void> {
  await python(
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--target',
    folder,
    ...packages,
  );
}

const found = new Map<string, Promise<string>>();

/**
 * The folder of this name in `.local/tools`, which `install` fills once. Throws if there is no Python 3 with pip and none
 * can be installed.
 */
export function pythonPackages(name: string, install: (folder: string) => Promise<void>): Promise<string> {
  const folder = found.get(name) ?? make(name, install);
  found.set(name, folder);
  return folder;
}

async function make(name: string, install: (folder: string) => Promise<void>): Promise<string> {
  const tools = join(localDirectory, 'tools');
  const folder = join(tools, name);
  if (existsSync(folder)) return folder;
  await requirePip(name);
  mkdirSync(tools, { recursive: true });
  // Installs into a folder of this process and renames it, so that two concurrent runs never see half of it.
  const draft = mkdtempSync(join(tools, 'draft-'));
  try {
    await install(draft);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

async function requirePip(name: string): Promise<void> {
  if (await hasPip()) return;
  if (canInstall()) installPackages(['python3-pip']);
  if (!(await hasPip())) throw new Error(`Python 3 with pip is needed for ${name}: install python3-pip`);
}

async function hasPip(): Promise<boolean> {
  return (await run('python3', ['-m', 'pip', '--version'])).code === 0;
}
