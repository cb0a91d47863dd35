import { Command, InvalidArgumentError } from 'commander';
import { encodePath } from '../../client/http.ts';
import type { SecretName } from '../../client/names.ts';

/** The mount, if a user names it apart from the path. */
export type MountOption = { mount?: string };

/** A verb about one secret of a mount with versions. */
export function secretCommand(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<secret>', 'mount/path')
    .option('-m, --mount <mount>', 'mount of the secret, if its name does not begin with it');
}

/** The path of what a mount keeps about a secret: `data`, `metadata` and so on. */
export function pathOf(kind: string, { mount, path }: SecretName): string {
  return encodePath(mount, kind, path);
}

/** Parses an option. Throws InvalidArgumentError. */
export function versionNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** The same for several, with commas between them. */
export function versionNumbers(text: string): number[] {
  return text.split(',').map(versionNumber);
}
