import type { Command } from 'commander';
import { outputOf, type Output } from '../output.ts';
import { createClient, type Client } from './http.ts';
import { readClientSettings } from './settings.ts';

/** What a client verb works with. */
export type CommandSession = { client: Client; output: Output };

/** Opens the API for a command; shows its warnings on standard error. */
export function openSession(command: Command): CommandSession {
  const output = outputOf(command);
  const client = createClient(readClientSettings(command));
  return {
    output,
    client: {
      ...client,
      call: async (...words) => {
        const answer = await client.call(...words);
        for (const warning of answer.warnings) output.note(`warning: ${warning}`);
        return answer;
      },
    },
  };
}
