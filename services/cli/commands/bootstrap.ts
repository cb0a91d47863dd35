import { Command } from 'commander';
import { outputOf } from '../output.ts';

/** Prints the first root token, which is shown only this once. Later calls only say that it was created. */
export function bootstrapCommand(): Command {
  return new Command('bootstrap')
    .description('Create the first root token and print it once')
    .action(async (_options, command: Command) => {
      const { loadConfig } = await import('../../../libs/config/config.ts');
      const config = loadConfig();
      const { makeFirstRootToken } = await import('../root-token/bootstrap.ts');
      const token = await makeFirstRootToken(config);
      outputOf(command).show(token === null ? { bootstrapped: true } : { token }, () =>
        token === null
          ? 'the first root token was created earlier and cannot be shown again; sealift recover root-token creates another one'
          : `root token: ${token}\nKeep it: it cannot be shown again.`,
      );
    });
}
