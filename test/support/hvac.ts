import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../deploy/check/run.ts';
import { canInstall, installPackages } from '../../deploy/local/install.ts';
import { localDirectory } from '../../deploy/local/root.ts';

const version = '2.4.0';

let found: Promise<string> | undefined;

/**
 * The folder that Python's path needs for the client hvac, which is installed once into `.local/tools`. Throws if there is
 * no Python 3 with pip and none can be installed.
 */
export function findHvac(): Promise<string> {
  return (found ??= install());
}

async function install(): Promise<string> {
  const tools = join(localDirectory, 'tools');
  const folder = join(tools, `hvac-${version}`);
  if (existsSync(folder)) return folder;
  await requirePip();
  mkdirSync(tools, { recursive: true });
  // Installs into a folder of this process and renames it, so that two concurrent runs never see half of it.
  const draft = mkdtempSync(join(tools, 'draft-'));
  try {
    const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', draft];
    const { code, output } = await run('python3', [...words, `hvac==${version}`]);
    if (code !== 0) throw new Error(`hvac could not be installed: ${output}`);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

async function requirePip(): Promise<void> {
  if (await hasPip()) return;
  if (canInstall()) installPackages(['python3-pip']);
  if (!(await hasPip())) throw new Error('Python 3 with pip is needed to run hvac: install python3-pip');
}

async function hasPip(): Promise<boolean> {
  return (await run('python3', ['-m', 'pip', '--version'])).code === 0;
}
