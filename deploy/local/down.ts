import { runTool } from './failure.ts';
import { stopStack } from './stack.ts';

await runTool(async () => {
  const stopped = await stopStack();
  process.stdout.write(stopped.length > 0 ? `Stopped: ${stopped.join(', ')}\n` : 'Nothing was running.\n');
});
