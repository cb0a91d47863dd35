import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { loadClientConfig } from '../../../libs/config/client.ts';
import { CommandError } from '../exit-codes.ts';

/** How to call the API. `url` has neither a slash nor `/v1` at its end; an empty token is not sent. */
export type ClientSettings = { url: string; token: string; namespace: string };

type Flags = { url?: string; tokenFile?: string; namespace?: string };

/** Reads flags first, then the environment. Throws CommandError 78, which says what is missing. */
export function readClientSettings(command: Command): ClientSettings {
  const flags = command.optsWithGlobals<Flags>();
  const config = loadClientConfig();
  const file = flags.tokenFile ?? (config.SEALIFT_TOKEN ? '' : config.SEALIFT_TOKEN_FILE);
  const token = file ? readToken(file) : config.SEALIFT_TOKEN;
  if (!token) {
    throw new CommandError(
      'configuration',
      'no token: set SEALIFT_TOKEN, or give a file that contains one with SEALIFT_TOKEN_FILE or --token-file',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CommandError('configuration', 'the token contains characters that no token has');
  return { ...readPlace(command), token };
}

/** The same for somebody who has no token yet: one that is set is not sent. */
export function readPlace(command: Command): ClientSettings {
  const flags = command.optsWithGlobals<Flags>();
  const config = loadClientConfig();
  return {
    url: readUrl(flags.url ?? config.SEALIFT_URL),
    token: '',
    namespace: flags.namespace ?? config.SEALIFT_NAMESPACE,
  };
}

// People copy the address of a call, with `/v1`.
function readUrl(text: string): string {
  const url = text.trim().replace(/(?:\/+v1)?\/*$/, '');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError('configuration', 'SEALIFT_URL must begin with https:// or http://');
  const { username, password, search, hash } = new URL(url);
  if (username || password || search || hash)
    throw new CommandError(
      'configuration',
      'SEALIFT_URL must be the address of the API alone, without a user name, `?` and `#`',
    );
  return url;
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CommandError('configuration', `the token file ${file} cannot be read`);
  }
}
