import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { outputOf } from '../output.ts';

/** Master keys that a key service wraps. */
export function masterKeyCommand(): Command {
  const wrap = new Command('wrap')
    .description('Print a new master key, wrapped by a key of a key service')
    .requiredOption('--with <address>', 'key of the key service, such as aws-kms://arn:…')
    .option('--stdin', 'wrap the master key from standard input, plain or wrapped', false)
    .action(async (options: { with: string; stdin: boolean }, command: Command) => {
      const { wrapKey } = await import('./wrap.ts');
      const wrapped = await wrapKey(options.with, options.stdin ? await text(process.stdin) : null);
      outputOf(command).show({ wrapped }, () => wrapped);
    });
  return new Command('master-key').description('Wrap master keys with a key service').addCommand(wrap);
}
