import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandError } from '../exit-codes.ts';

const SHORTEST = 12;

/**
 * The passphrase from a file, from standard input (`-`), or typed on the terminal without an echo; never from an argument,
 * which every process of the host can read. A new one is typed twice, and has at least twelve characters.
 */
export async function readPassphrase(
  file: string | undefined,
  { isNew }: { isNew: boolean },
): Promise<string> {
  const passphrase = file === undefined ? await ask(isNew) : (await readWhole(file)).replace(/\r?\n$/, '');
  if (passphrase === '') throw new CommandError('usage', 'the passphrase is empty');
  if (isNew && passphrase.length < SHORTEST)
    throw new CommandError('usage', `the passphrase must have at least ${SHORTEST} characters`);
  return passphrase;
}

async function readWhole(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch(() => {
    throw new CommandError('failed', `the passphrase file ${file} cannot be read`);
  });
}

async function ask(isNew: boolean): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'usage',
      'give the passphrase with --passphrase-file FILE, or - for standard input',
    );
  const first = await prompt('Passphrase: ');
  if (isNew && (await prompt('The same again: ')) !== first)
    throw new CommandError('usage', 'the two passphrases differ');
  return first;
}

async function prompt(question: string): Promise<string> {
  // The terminal shows what the line editor writes: nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new CommandError('usage', 'no passphrase was given')));
      lines.once('SIGINT', () => lines.close());
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
