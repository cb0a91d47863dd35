import { createDemoClient } from './demo-client.ts';
import { environmentFile } from './environment-file.ts';
import { LocalFailure, runTool } from './failure.ts';
import { showStates } from './showcase.ts';
import { startStack } from './stack.ts';
import { describeStandIns, standInFile } from './stand-ins.ts';
import { tellStory, type Narrator } from './story.ts';

const styles = { bold: 1, green: 32, cyan: 36 };

function say(text: string, style?: keyof typeof styles): void {
  const isPlain = !style || !process.stdout.isTTY || process.env['NO_COLOR'];
  process.stdout.write(isPlain ? `${text}\n` : `\u001b[${styles[style]}m${text}\u001b[0m\n`);
}

function createNarrator(): Narrator {
  let count = 0;
  return {
    step(text) {
      count += 1;
      say(`\n${count}. ${text}`, 'bold');
    },
    call(method, path, body) {
      say(`   ${method} /v1/${path} ${body === undefined ? '' : JSON.stringify(body)}`.trimEnd(), 'cyan');
    },
    result(text) {
      say(`   → ${text}`, 'green');
    },
  };
}

function tellWhatToTry(options: { url: string; storeUrl: string; hostingUrl: string }): void {
  const authorised = `curl -s -H "Authorization: Bearer $SEALIFT_TOKEN"`;
  const destination = '"$SEALIFT_URL/v1/sys/sync/destinations/cloud1-sm/demo';
  say('\nThe service goes on running. What to try next, in this shell:\n', 'bold');
  const lines = [
    `source '${environmentFile}'    # SEALIFT_URL, SEALIFT_TOKEN, and what operators need: DATABASE_URL …`,
    `${authorised} -d '{"data":{"password":"my own"}}' "$SEALIFT_URL/v1/secret/data/demo/db"`,
    `${authorised} -d '{"mount":"secret","secret_name":"demo/db"}' ${destination}/associations/set"`,
    `curl -s ${options.storeUrl}/_sandbox/entries    # what the store holds`,
    `${authorised} ${destination}/associations"`,
    `${authorised} -X LIST "$SEALIFT_URL/v1/sys/sync/associations"`,
    `${authorised} "$SEALIFT_URL/api/v2/admin/general-settings"`,
    'npx sealift status    # the command line; `npx sealift --help` shows the rest',
  ];
  for (const line of lines) say(`  ${line}`);
  say(`\nAPI and token: ${environmentFile}. Interface: ${options.url}/docs and ${options.url}/openapi.json`);
  say('Stop it with `make down`; the data stay for the next `make up` or `make demo`.');
  say(
    `\nThe console, with a few stores in different states: ${options.url}/ui/ (sign in with the token above)`,
    'bold',
  );
  say(`To connect a store there, type what its stand-in accepts (also in ${standInFile}):`);
  for (const line of describeStandIns()) say(`  ${line}`);
  const faults = `curl -s -X DELETE ${options.hostingUrl}/_sandbox/faults`;
  say(`The stand-in for Vercel says that its rate limit is used up, to show that. This ends it: ${faults}`);
}

await runTool(async () => {
  const stack = await startStack({ sandbox: true, report: (line) => say(line) });
  const storeUrl = stack.sandbox['cloud1-sm'];
  if (!storeUrl) throw new LocalFailure('The sandbox has no stand-in for cloud1-sm.');
  say(`Sealift is ready at ${stack.url}; stand-ins for the stores run beside it.`);
  const client = createDemoClient({ url: stack.url, token: stack.token, storeUrl });
  await tellStory(client, createNarrator());
  await showStates(client, stack.sandbox);
  say(`\nRoot token: ${stack.token}`);
  tellWhatToTry({ url: stack.url, storeUrl, hostingUrl: stack.sandbox['hosting-project'] ?? '' });
});
