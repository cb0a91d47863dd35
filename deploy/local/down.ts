import { runTool } from './failure.ts';
import { stopProcess } from './processes.ts';
import { localDirectory } from './root.ts';
import { stopStack } from './stack.ts';

/** `make dev` stops the whole stack itself before it ends. */
const DEV_LIMIT_MS = 60_000;

await runTool(async () => {
  const hadDev = await stopProcess({ directory: localDirectory, name: 'dev', limitMs: DEV_LIMIT_MS });
  const stopped = [...(hadDev ? ['dev'] : []), ...(await stopStack())];
  process.stdout.write(stopped.length > 0 ? `Stopped: ${stopped.join(', ')}\n` : 'Nothing was running.\n');
});
