import { Command } from 'commander';

/** Prints the reference of all settings; docs/configuration.md is made from it. */
export function configurationCommand(): Command {
  return new Command('configuration')
    .description('Print the reference of all settings as Markdown')
    .action(async () => {
      const { describeConfiguration } = await import('../../../libs/config/describe.ts');
      process.stdout.write(describeConfiguration());
    });
}
