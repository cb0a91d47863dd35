import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A helper process that answers numbered questions; `ask` rejects when the process ends first. */
export type Helper = {
  /** The message it sent when it was ready. */
  greeting: unknown;
  ask: <Answer>(question: object) => Promise<Answer>;
  stop: () => Promise<void>;
};

/** Forks a program in this file's folder and waits for its greeting, which is answer number 0. */
export async function startHelper(
  program: string,
  environment: Record<string, string> = {},
): Promise<Helper> {
  const child = fork(fileURLToPath(new URL(`./${program}`, import.meta.url)), {
    env: { ...process.env, ...environment },
    serialization: 'advanced',
  });
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let count = 0;
  const wait = <Answer>(id: number): Promise<Answer> =>
    new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  child.on('message', (message: { id: number; result?: unknown; error?: string }) => {
    const pending = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) pending?.resolve(message.result as never);
    else pending?.reject(new Error(message.error));
  });
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${program} ended`));
    waiting.clear();
  });
  const greeting = await wait<unknown>(0);
  return {
    greeting,
    ask: <Answer>(question: object) => {
      count += 1;
      const answer = wait<Answer>(count);
      child.send({ ...question, id: count });
      return answer;
    },
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.disconnect();
  const limit = setTimeout(() => child.kill('SIGKILL'), 3000);
  await ended;
  clearTimeout(limit);
}
