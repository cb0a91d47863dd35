import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathIn, type Image } from './image.ts';

/** A process of the image that runs on this machine. */
export type Container = {
  output: () => string;
  /** Its exit code when it has ended; null if a signal ended it. */
  ended: Promise<number | null>;
  signal: (name: NodeJS.Signals) => void;
};

/** Starts a command like a container engine: with only the image's environment and user. */
export function startContainer(
  image: Image,
  command: string[],
  environment: Record<string, string>,
): Container {
  const [program = '', ...words] = command;
  const [uid, gid] = image.user.split(':').map(Number);
  const child = spawn(program.startsWith('/app/') ? pathIn(image, program) : program, words, {
    cwd: pathIn(image, image.workingDirectory),
    env: { PATH: process.env['PATH'], ...image.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Only root may switch to another user.
    ...(process.getuid?.() === 0 && uid !== undefined && gid !== undefined && { uid, gid }),
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  }
  return {
    output: () => chunks.join(''),
    ended: once(child, 'close').then(([code]) => code as number | null),
    signal: (name) => void child.kill(name),
  };
}
