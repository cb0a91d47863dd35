import type { Command } from 'commander';
import { outputOf, type Output } from '../output.ts';
import { createClient, type Client } from './http.ts';
import { readPlace, readClientSettings } from './settings.ts';

/** What a client verb works with. */
export type CommandSession = { client: Client; output: Output };

/** Opens the API for a command; shows its warnings on standard error. */
export function openSession(command: Command): CommandSession {
  return sessionOf(command, createClient(readClientSettings(command)));
}

/** The same without a token, for a command that asks for one. */
export function openWithoutToken(command: Command): CommandSession {
  return sessionOf(command, createClient(readPlace(command)));
}

function sessionOf(command: Command, client: Client): CommandSession {
  const output = outputOf(command);
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
