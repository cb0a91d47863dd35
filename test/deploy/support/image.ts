import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DockerfileParser, type Copy, type Instruction } from 'dockerfile-ast';
import { projectRoot } from '../../../deploy/local/root.ts';

/** The result of a Dockerfile, as a folder that stands for the image's root. */
export type Image = {
  root: string;
  environment: Record<string, string>;
  user: string;
  workingDirectory: string;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
  remove: () => void;
};

type Stage = Omit<Image, 'remove'> & { name: string };

const file = 'deploy/Dockerfile';

/**
 * Runs the steps of the Dockerfile in order, without a container engine. Each stage is a folder. Copies come from the
 * context that the ignore file allows. Commands run in their stage's working directory. Throws if a step fails.
 */
export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'sealift-image-'));
  // Processes of another user must be able to read it.
  chmodSync(folder, 0o755);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const context = copyContext(join(folder, 'context'));
    const stages: Stage[] = [];
    for (const step of DockerfileParser.parse(
      readFileSync(join(projectRoot, file), 'utf8'),
    ).getInstructions()) {
      const keyword = step.getKeyword();
      if (keyword === 'ARG') continue;
      if (keyword === 'FROM') stages.push(openStage(step, folder, stages.length));
      else carryOut(step, { stage: lastOf(stages), stages, context });
    }
    const image = lastOf(stages);
    takeWriteAccess(image.root);
    return { ...image, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The real path of a path inside the image. */
export function pathIn(image: Pick<Image, 'root'>, path: string): string {
  return join(image.root, path);
}

// Follows BuildKit's rules for an ignore file that first excludes everything.
function copyContext(to: string): string {
  const lines = readFileSync(join(projectRoot, `${file}.dockerignore`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines[0] !== '*' || lines.slice(1).some((line) => !line.startsWith('!'))) {
    throw new Error('the ignore file must begin with * and then only let paths in');
  }
  for (const path of lines.slice(1).map((line) => line.slice(1))) {
    cpSync(join(projectRoot, path), join(to, path), { recursive: true });
  }
  return to;
}

function openStage(step: Instruction, folder: string, index: number): Stage {
  const words = wordsOf(step);
  const name = words[1]?.toUpperCase() === 'AS' ? (words[2] ?? '') : String(index);
  const root = join(folder, `stage-${index}`);
  mkdirSync(root);
  return {
    name,
    root,
    environment: {},
    user: 'root',
    workingDirectory: '/',
    entrypoint: [],
    command: [],
    healthcheck: [],
  };
}

function carryOut(step: Instruction, parts: { stage: Stage; stages: Stage[]; context: string }): void {
  const { stage } = parts;
  const content = step.getArgumentsContent() ?? '';
  switch (step.getKeyword()) {
    case 'WORKDIR':
      stage.workingDirectory = content;
      mkdirSync(join(stage.root, content), { recursive: true });
      return;
    case 'ENV':
      for (const pair of wordsOf(step)) {
        const index = pair.indexOf('=');
        stage.environment[pair.slice(0, index)] = pair.slice(index + 1);
      }
      return;
    case 'COPY':
      return copy(step as Copy, parts);
    case 'RUN':
      return execute(content.replace(/^(?:--\S+\s+)+/, ''), stage);
    case 'USER':
      stage.user = content;
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(content) as string[];
      return;
    case 'CMD':
      stage.command = JSON.parse(content) as string[];
      return;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(content.slice(content.indexOf('['))) as string[];
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`the test does not know the step ${step.getKeyword()}`);
  }
}

function copy(
  step: Copy,
  { stage, stages, context }: { stage: Stage; stages: Stage[]; context: string },
): void {
  const flags = new Map(step.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']));
  const from = flags.get('from');
  const source = from === undefined ? context : stages.find(({ name }) => name === from)?.root;
  if (source === undefined) throw new Error(`there is no stage ${from}`);
  const paths = wordsOf(step).filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  const into = join(stage.root, target.startsWith('/') ? target : join(stage.workingDirectory, target));
  for (const path of paths) {
    const to = target.endsWith('/') ? join(into, basename(path)) : into;
    if (!existsSync(join(source, path))) throw new Error(`COPY ${path}: it is not there`);
    copyTree(join(source, path), to);
    const mode = flags.get('chmod');
    if (mode !== undefined) chmodSync(to, Number.parseInt(mode, 8));
  }
}

function execute(command: string, stage: Stage): void {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], {
    cwd: join(stage.root, stage.workingDirectory),
    // Uses the cache of earlier downloads.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      npm_config_prefer_offline: 'true',
      npm_config_cache: process.env['npm_config_cache'],
      ...stage.environment,
    },
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}:\n${stdout}${stderr}`);
}

// For tens of thousands of small files, the system's `cp` takes a fraction of the time.
function copyTree(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const { status, stderr } = spawnSync('cp', ['-RP', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

// Root may still write, but the processes do not run as root.
function takeWriteAccess(root: string): void {
  const { status, stderr } = spawnSync('chmod', ['-R', 'a-w', root], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function wordsOf(step: Instruction): string[] {
  return step.getArguments().map((argument) => argument.getValue());
}

function lastOf(stages: Stage[]): Stage {
  const last = stages.at(-1);
  if (!last) throw new Error('a step comes before the first FROM');
  return last;
}
