import { InvalidArgumentError, Option } from 'commander';
import type { Fields } from './http.ts';
import type { CommandSession } from './session.ts';

/** `--wrap-ttl`, for a verb whose answer somebody may hand over. */
export function wrapOption(): Option {
  return new Option(
    '--wrap-ttl <duration>',
    'do not print the answer, but a token with which unwrap fetches it, once, within this time: seconds, or a duration such as 5m',
  ).argParser(wrapTime);
}

// Without a time, the API would answer as always.
function wrapTime(text: string): string {
  if (!/[1-9]/.test(text)) throw new InvalidArgumentError('It must be longer than 0.');
  return text;
}

/** Makes a call whose answer is wrapped, and prints the token that fetches it. */
export async function printWrapped(
  { client, output }: CommandSession,
  ttl: string,
  { method, path, body }: { method: string; path: string; body?: Fields },
): Promise<void> {
  const { data } = await client.call(method, path, body, { 'x-vault-wrap-ttl': ttl });
  output.show(data, () => String(data['token']));
}
