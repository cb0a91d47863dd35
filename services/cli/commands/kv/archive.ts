import { Command } from 'commander';
import { counted } from '../../../../libs/collections/counted.ts';
import { openArchive, writeArchive, type ArchiveItem } from '../../kv-archive/archive.ts';
import { importArchive } from '../../kv-archive/import.ts';
import { readPassphrase } from '../../kv-archive/passphrase.ts';
import { fetchKvMounts, readMount, type KvMount, type Omission } from '../../kv-archive/read-secrets.ts';
import { openSession } from '../../client/session.ts';
import { CommandError } from '../../exit-codes.ts';

const OMISSIONS: Record<Omission, string> = {
  'no value': 'skipped, it has no value',
  'not readable': 'not exported, the token may not read it',
  'not listable': 'nothing of it is exported, the token may not list it',
};

type PassphraseOption = { passphraseFile?: string };

/** `kv export`: all secrets that the token may read, sealed with a passphrase. */
export function exportCommand(): Command {
  return archiveCommand('export', 'Write secrets into a new file, sealed with a passphrase')
    .argument('[mounts...]', 'only these mounts; default: all that the token may use')
    .option('--all-versions', 'all versions of each secret; default: only the newest', false)
    .action(
      async (
        file: string,
        names: string[],
        options: PassphraseOption & { allVersions: boolean },
        command: Command,
      ) => {
        const { client, output } = openSession(command);
        const mounts = selectMounts(await fetchKvMounts(client), names);
        const passphrase = await readPassphrase(options.passphraseFile, { isNew: true });
        const counts = { mounts: mounts.length, secrets: 0, skipped: 0, denied: 0 };
        const leaveOut = (name: string, reason: Omission): void => {
          counts[reason === 'no value' ? 'skipped' : 'denied'] += 1;
          output.note(`${name}: ${OMISSIONS[reason]}`);
        };
        async function* readAll(): AsyncGenerator<ArchiveItem> {
          for (const mount of mounts)
            for await (const item of readMount(client, mount, { ...options, leaveOut })) {
              if (item.kind === 'secret') counts.secrets += 1;
              yield item;
            }
        }
        await writeArchive(file, passphrase, readAll());
        output.show(
          counts,
          () =>
            `exported ${counted(counts.secrets, 'secret')} of ${counted(counts.mounts, 'mount')}; ${counts.skipped} skipped`,
        );
        if (counts.denied > 0)
          throw new CommandError(
            'denied',
            `the token may not list or read ${counts.denied} of them; the file has the rest`,
          );
      },
    );
}

/** `kv import`: the secrets of an exported file, without touching what is there. */
export function importCommand(): Command {
  return archiveCommand('import', 'Write the secrets of an exported file; what exists already stays')
    .option('--overwrite', 'write a new version where another value exists', false)
    .option('--dry-run', 'only show what would be written', false)
    .action(
      async (
        file: string,
        options: PassphraseOption & { overwrite: boolean; dryRun: boolean },
        command: Command,
      ) => {
        const { client, output } = openSession(command);
        const passphrase = await readPassphrase(options.passphraseFile, { isNew: false });
        const archive = await openArchive(file, passphrase);
        const counts = await importArchive(client, archive, { ...options, tell: output.note });
        const { written, same, different, failed, mounts } = counts;
        const would = options.dryRun ? 'to write' : 'written';
        output.show(
          { ...counts, dry_run: options.dryRun },
          () =>
            `${written} secrets ${would}, ${mounts} new mounts, ${same} there already, ${different} different, ${failed} failed`,
        );
        if (different + failed > 0)
          throw new CommandError('failed', `${different + failed} secrets or mounts were not imported`);
      },
    );
}

function archiveCommand(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<file>', 'the file')
    .option(
      '--passphrase-file <file>',
      'a file that holds the passphrase, or - for standard input; default: ask on the terminal',
    );
}

function selectMounts(mounts: KvMount[], names: string[]): KvMount[] {
  if (names.length === 0) return mounts;
  return names.map((name) => {
    const path = name.replaceAll(/^\/+|\/+$/g, '');
    const mount = mounts.find((one) => one.path === path);
    if (!mount) throw new CommandError('notFound', `no mount ${path}/ that this token may use`);
    return mount;
  });
}
