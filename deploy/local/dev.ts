import { build } from './build.ts';
import { watchSources } from './changes.ts';
import { environmentFile } from './environment-file.ts';
import { LocalFailure, runTool } from './failure.ts';
import { findRunning, recordProcess } from './processes.ts';
import { localDirectory } from './root.ts';
import { startStack, stopStack } from './stack.ts';

const identity = { directory: localDirectory, name: 'dev' };

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Keeps running when the terminal closes: the stack still has to be stopped. */
function listenForEnd(): AbortSignal {
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ending.abort());
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  return ending.signal;
}

async function restart(paths: string[], signal: AbortSignal): Promise<void> {
  const [first, ...others] = paths;
  say(`\n${first}${others.length > 0 ? ` and ${others.length} more` : ''} changed: compiling …`);
  if (!(await build(signal))) {
    if (!signal.aborted) say('The build failed. All processes still run the code from before.');
    return;
  }
  try {
    const { started } = await startStack({ sandbox: true, report: () => undefined });
    say(started.length > 0 ? `Restarted: ${started.join(', ')}` : 'No running process loads it.');
  } catch (error) {
    if (!(error instanceof LocalFailure)) throw error;
    if (!signal.aborted) say(`${error.message}\nThe next change tries again.`);
  }
}

await runTool(async () => {
  const other = findRunning(identity);
  if (other) throw new LocalFailure(`\`make dev\` runs already, as process ${other.pid}.`);
  const signal = listenForEnd();
  recordProcess({ ...identity, pid: process.pid });
  const changes = watchSources();
  try {
    const stack = await startStack({ sandbox: true, report: say });
    say(`\nSealift is ready at ${stack.url}; stand-ins for the stores run beside it.`);
    say(`Root token: ${stack.token}    (source '${environmentFile}' sets SEALIFT_URL and SEALIFT_TOKEN)`);
    say('A changed source is compiled, and the processes that load it are restarted. End with Ctrl-C.');
    await changes.follow((paths) => restart(paths, signal), signal);
  } catch (error) {
    // Ctrl-C also reaches the commands of a start, which then fail.
    if (!signal.aborted) throw error;
  } finally {
    say('\nStopping …');
    await changes.close();
    say(`Stopped: ${(await stopStack()).join(', ')}`);
  }
});
