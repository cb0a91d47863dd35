import { environmentFile } from './environment-file.ts';
import { runTool } from './failure.ts';
import { startStack } from './stack.ts';

await runTool(async () => {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const stack = await startStack({ sandbox: false, report: say });
  if (Object.keys(stack.sandbox).length > 0)
    say(
      'The stores are stand-ins, because these data are those of a demo. For real ones: make down, rm -rf .local, make up',
    );
  const isNew = stack.started.length > 0;
  say(
    isNew
      ? `Started: ${stack.started.join(', ')}`
      : 'Everything runs already; for new settings: make down up',
  );
  say(`Sealift is ready at ${stack.url}; address and token are in ${environmentFile}`);
});
