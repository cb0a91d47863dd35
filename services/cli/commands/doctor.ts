import { Command } from 'commander';
import type { Finding } from '../../../libs/service/diagnosis/finding.ts';
import { readPlace } from '../client/settings.ts';
import { CommandError } from '../exit-codes.ts';
import { outputOf, renderTable } from '../output.ts';

/** Tries everything that a process needs, and says what to fix. Exit code 78, 5 or 1 if something failed. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Check configuration, database, schema, clock, master key, broker and access to the stores; changes nothing',
    )
    .option('--no-egress', 'do not try to reach the stores')
    .action(async ({ egress }: { egress: boolean }, command: Command) => {
      const { examine } = await import('../doctor/examine.ts');
      const findings = await examine({ egress, url: readPlace(command).url });
      const broken = findings.filter(({ state }) => state === 'failed');
      outputOf(command).show({ ok: broken.length === 0, findings }, () => render(findings));
      if (broken.length > 0) throw new CommandError(kindOf(broken), `${broken.length} to fix`);
    });
}

function render(findings: Finding[]): string {
  const rows = findings.map(({ check, state, detail }) => [state, check, detail]);
  const advice = findings.flatMap((finding) =>
    finding.advice === undefined ? [] : [`- ${finding.check}: ${finding.advice}`],
  );
  const table = renderTable(['state', 'check', 'found'], rows);
  return advice.length === 0 ? table : `${table}\n\nTo fix:\n${[...new Set(advice)].join('\n')}`;
}

function kindOf(broken: Finding[]): 'configuration' | 'unreachable' | 'failed' {
  const checks = new Set(broken.map(({ check }) => check));
  if (['configuration', 'master key', 'egress rules', 'notifications'].some((check) => checks.has(check))) {
    return 'configuration';
  }
  return ['database', 'broker', 'key service'].some((check) => checks.has(check)) ? 'unreachable' : 'failed';
}
