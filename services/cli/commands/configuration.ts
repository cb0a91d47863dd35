import { Command } from 'commander';
import { describeConfiguration } from '../../../libs/config/describe.ts';

/** Prints the reference of all settings; docs/configuration.md is made from it. */
export function configurationCommand(): Command {
  return new Command('configuration')
    .description('Print the reference of all settings as Markdown')
    .action(() => {
      process.stdout.write(describeConfiguration());
    });
}
